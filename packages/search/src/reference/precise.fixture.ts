/** Random documents with values of every kind, and random queries over them. */
import fc from 'fast-check'
import type {
  Condition,
  FacetRequest,
  JoinedPath,
  Operand,
  OwnPath,
  Point,
  PropertyPath,
  SortKey,
} from '../port/conditions.ts'
import { type DocumentKey, type PropertyValue, pathKey, type SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { isPrecise } from '../read/precise-search.ts'
import { groupRequest } from './group-requests.fixture.ts'
import type { Dice } from './random.fixture.ts'

const NUMBERS = [
  0,
  1,
  2,
  3,
  -1,
  0.1,
  0.25,
  42.5833,
  1e300,
  -1e300,
  5e-324,
  2 ** 53,
  1e21,
  123456.789,
  17,
  18,
  19,
]
const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'b',
  'é',
  'z',
  '\u{1f30d}',
  '\ufffd',
  'a\u0000',
  'Ab',
  '10',
  'aa',
  ' ',
  '\uffff',
  '1969-12-31',
  '2024-02-29',
  '2024-03-01',
  '2023-02-29',
  '0000-01-01',
  '1990-01-01x',
]
const INSTANTS = [
  0,
  1000,
  1000.5,
  -1,
  -0.25,
  Date.UTC(2026, 0, 1),
  Date.UTC(2024, 1, 29, 23),
  Date.UTC(1610, 0, 7),
  Date.UTC(-3, 11, 31),
]
/** Targets of references, of which some exist, some do not, and some change. */
const TARGETS: DocumentKey[] = [
  'a',
  'a b',
  'b',
  '\u{1f30d}',
  ...Array.from({ length: 40 }, (_, at) => `d${at}`),
].flatMap((id) => [
  { type: 't:a', id },
  { type: 't:b', id },
  { type: 't:none', id },
])
const TYPES = ['t:a', 't:b', 't:c']
const PATHS: OwnPath[] = [['one'], ['two'], ['deep', 'er'], ['many'], ['rare'], ['\u0000"\u{1f30d}'], 'title']
const WORDS = ['ice', 'giant', 'red', 'dwarf']

/** Property paths in queries: those with values in documents, the key, and one without any values. */
const OWN: OwnPath[] = [...PATHS, 'type', 'id', 'createdAt', 'attributes', ['nowhere']]
/** The same through references, single and multiple, and through texts that are ids. */
const JOINED: JoinedPath[] = OWN.flatMap((property) => [
  { reference: ['one'], property },
  { reference: ['many'], property },
  { reference: ['many'], property, texts: 't:b' },
  { reference: ['links'], property, types: ['t:a', 't:none'] },
])

/** Returns a document with values of every kind, including hostile ones. */
export function valuedDocument(roll: Dice, id: string): SearchDocument {
  const values: PropertyValue[] = [{ path: pathKey('createdAt'), kind: 'instant', value: roll(50) * 1000 }]
  for (const property of PATHS) {
    const path = pathKey(property)
    if (roll(property[0] === 'rare' ? 40 : 5) === 0) continue
    for (let left = property[0] === 'many' ? roll(5) : 1; left > 0; left--)
      values.push(property === 'title' ? textValue(roll, path) : randomValue(roll, path))
  }
  if (roll(3) === 0) values.push({ path: pathKey('attributes'), kind: 'place', value: placeOf(roll) })
  if (roll(60) === 0) values.push({ path: '*', kind: 'unindexed' })
  const target = TARGETS[roll(TARGETS.length)] as DocumentKey
  if (roll(4) > 0) values.push({ path: pathKey(['links']), kind: 'reference', value: target })
  const text = Array.from({ length: roll(4) }, () => WORDS[roll(WORDS.length)]).join(' ')
  return { type: TYPES[roll(3)] as string, id, title: text, aliases: [], summary: '', text: '', values }
}

function randomValue(roll: Dice, path: string): PropertyValue {
  const one = <T>(values: readonly T[]): T => values[roll(values.length)] as T
  switch (roll(9)) {
    case 0:
      return { path, kind: 'number', value: roll(1000) / 10 }
    case 1:
    case 2:
      return { path, kind: 'number', value: one(NUMBERS) }
    case 3:
      return { path, kind: 'boolean', value: roll(2) === 0 }
    case 4:
      return { path, kind: 'instant', value: one(INSTANTS) }
    case 5:
      return { path, kind: 'reference', value: one(TARGETS) }
    case 6:
      return roll(2) === 0 ? { path, kind: 'place', value: placeOf(roll) } : { path, kind: 'unindexed' }
    default:
      return textValue(roll, path)
  }
}

function textValue(roll: Dice, path: string): PropertyValue {
  const value = roll(3) === 0 ? `${'td'[roll(2)]}${roll(500)}` : (TEXTS[roll(TEXTS.length)] as string)
  return { path, kind: 'text', value }
}

function placeOf(roll: Dice): Point {
  return { longitude: roll(37) * 10 - 180, latitude: roll(19) * 10 - 90 }
}

const property: fc.Arbitrary<PropertyPath> = fc.oneof(
  { arbitrary: fc.constantFrom(...OWN), weight: 2 },
  { arbitrary: fc.constantFrom(...JOINED), weight: 1 },
)
const degrees = (most: number) => fc.integer({ min: -most / 10, max: most / 10 }).map((tens) => tens * 10)
const point = fc.record({ longitude: degrees(180), latitude: degrees(90) })
const number = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
)
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom('\ud83d', 'd1', 't:b', 't2'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const instant = fc.constantFrom(...INSTANTS, 20_000)
const operand: fc.Arbitrary<Operand> = fc.oneof(
  number,
  text,
  fc.boolean(),
  instant.map((value) => ({ instant: value })),
  fc.constantFrom(...TARGETS).map((reference) => ({ reference })),
)

/** Arbitrary conditions, including nested ones. */
export const condition = fc.letrec<{ any: Condition }>((tie) => {
  const some = fc.array(tie('any'), { maxLength: 4 })
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({ op: fc.constantFrom('=', '<', '<=', '>', '>='), property, value: operand }),
    fc.record({ op: fc.constant('between' as const), property, low: operand, high: operand }),
    fc.record({
      op: fc.constantFrom('in', 'containsAll'),
      property,
      values: fc.array(operand, { maxLength: 4 }),
    }),
    fc.record({ op: fc.constant('prefix' as const), property, prefix: text }),
    fc.record({ op: fc.constant('absent' as const), property }),
    fc.record({ op: fc.constant('refersTo' as const), target: fc.constantFrom(...TARGETS) }),
    fc.record({
      op: fc.constant('inBox' as const),
      property,
      west: degrees(180),
      south: degrees(90),
      east: degrees(180),
      north: degrees(90),
    }),
    fc.record({
      op: fc.constant('within' as const),
      property,
      center: point,
      metres: fc.integer({ max: 2e7, min: 0 }),
    }),
  )
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ op: fc.constantFrom('and', 'or'), conditions: some }),
      fc.record({ op: fc.constant('not' as const), condition: tie('any') }),
    ),
  }
}).any

const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({
    by: fc.constant('value' as const),
    property,
    kind: fc.constantFrom('number', 'boolean', 'text', 'instant'),
    descending: fc.boolean(),
  }),
  fc.record({ by: fc.constant('distance' as const), property, from: point, descending: fc.boolean() }),
  fc.constant({ by: 'relevance' as const }),
  fc.constant({ by: 'sample' as const }),
)

const limit = fc.integer({ min: 0, max: 8 })
const edge = fc.option(fc.oneof(number), { nil: undefined })
const facet: fc.Arbitrary<FacetRequest> = fc.oneof(
  fc.record({
    facet: fc.constant('values' as const),
    property,
    kind: fc.constantFrom('number', 'boolean', 'text', 'instant', 'reference'),
    limit,
  }),
  fc.record({
    facet: fc.constant('ranges' as const),
    property,
    kind: fc.constantFrom('number', 'instant'),
    ranges: fc.array(fc.record({ from: edge, to: edge }), { maxLength: 4 }),
  }),
  fc.record({
    facet: fc.constant('histogram' as const),
    property,
    kind: fc.constantFrom('number', 'instant'),
    buckets: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ facet: fc.constant('referrers' as const), target: fc.constantFrom(...TARGETS), limit }),
) as fc.Arbitrary<FacetRequest>

/** Arbitrary first-page queries, except match-all queries, which a store answers without its index. */
export const question: fc.Arbitrary<Query> = fc
  .record({
    text: fc.option(fc.constantFrom('ice', 'red dwarf', 'giant ice red', 'gian', 'dwarv'), {
      nil: undefined,
      freq: 2,
    }),
    types: fc.option(fc.subarray([...TYPES, 't:none']), { nil: undefined }),
    where: fc.option(condition, { nil: undefined, freq: 8 }),
    sort: fc.option(fc.array(sortKey, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    facets: fc.option(fc.array(facet, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    group: fc.option(groupRequest(property), { nil: undefined }),
    limit: fc.constantFrom(0, 1, 3, 20, 200),
  })
  .map((query) => ({ ...query, budgetMs: 60_000 }))
  .filter((query) => query.text !== undefined || isPrecise(query))
