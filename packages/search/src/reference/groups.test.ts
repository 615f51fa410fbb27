import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import type {
  CalendarUnit,
  GroupKey,
  GroupOrder,
  GroupRequest,
  Measure,
  Point,
  PropertyPath,
} from '../port/conditions.ts'
import { type PropertyValue, pathKey, type SearchDocument } from '../port/document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Comparison } from './compare.fixture.ts'
import { PlainDocuments } from './plain-values.fixture.ts'
import { type Dice, dice } from './random.fixture.ts'

const BUDGET = { limit: 0, budgetMs: 60_000 }

/** Returns an index of these documents in as many segments as there are lists. A later document replaces an earlier one. */
function indexOf(lists: readonly (readonly SearchDocument[])[]) {
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const living = new Map<string, SearchDocument>()
  for (const list of lists) {
    const replaced = list.flatMap(({ id }) => living.get(id) ?? [])
    writer.change(replaced, list)
    for (const document of list) living.set(document.id, document)
  }
  const reader = new IndexReader(store)
  reader.refresh()
  return { reader, writer, plain: new PlainDocuments(living.values()) }
}

function documentOf(id: string, values: readonly PropertyValue[], type = 't:a'): SearchDocument {
  return { type, id, title: id, aliases: [], summary: '', text: '', values }
}

const numbers = (path: string, values: readonly number[]) =>
  values.map((value): PropertyValue => ({ path: pathKey([path]), kind: 'number', value }))

/** Returns numbers that are hard to add: of very different magnitudes, and some that cancel each other. */
function hardNumber(roll: Dice): number {
  const sign = roll(2) === 0 ? 1 : -1
  const digits = roll(2 ** 20) * 2 ** 20 + roll(2 ** 20)
  switch (roll(4)) {
    case 0:
      return (sign * roll(1000)) / 10
    case 1:
      return sign * digits * 2 ** (roll(60) - 30)
    case 2:
      return sign * digits * 2 ** (roll(1800) - 1000)
    default:
      return sign * 2 ** roll(60)
  }
}

const NUMBER: PropertyPath = ['v']
const OPS = ['count', 'distinct', 'sum', 'avg', 'min', 'max', 'median'] as const
const MEASURES = OPS.map((op) => ({ op, property: NUMBER, kind: 'number' })) as readonly Measure[]

test('measures of hard numbers are exact, in one segment and in many', () => {
  const roll = dice(11)
  const lists = Array.from({ length: 9 }, (_, at) => {
    const ids = new Set(Array.from({ length: at === 0 ? 1500 : 40 }, () => `d${roll(2000)}`))
    return [...ids].map((id) => {
      const hard = Array.from({ length: roll(4) }, () => hardNumber(roll))
      return documentOf(id, [...numbers('g', [roll(30)]), ...numbers('v', hard)])
    })
  })
  const { reader, writer, plain } = indexOf(lists)
  const keys: GroupKey[][] = [
    [],
    [{ by: 'value', property: ['g'], kind: 'number' }],
    [{ by: 'width', property: ['g'], width: 7, origin: -2 }, { by: 'value', property: NUMBER, kind: 'number' }],
  ] // biome-ignore format: one list a line
  const sort: GroupOrder[] = [{ by: 'measure', measure: 3, descending: true }]
  for (let merges = 0; merges < 2; merges++) {
    for (const each of keys)
      new Comparison(plain, reader).compare(
        { ...BUDGET, group: { keys: each, measures: MEASURES, sort, limit: 100 } },
        1,
      )
    writer.mergeAll()
    reader.refresh()
  }
})

/** Returns the groups of documents with these values at one path. */
function groupsBy(
  key: GroupKey,
  lists: readonly (readonly PropertyValue[])[],
  measures: readonly Measure[] = [],
) {
  const documents = lists.map((values, at) => documentOf(`d${at}`, values))
  const group = { keys: [key], measures, sort: [{ by: 'key', descending: false }], limit: 1000 } as const
  // Two segments must give the same as one.
  const results = [[documents], [documents.slice(0, 1), documents.slice(1)]].map((segments) => {
    const { reader, plain } = indexOf(segments)
    new Comparison(plain, reader).compare({ ...BUDGET, group }, 1)
    return reader.search({ ...BUDGET, group }).groups
  })
  return results[0]
}

test('a document with several values is in each bin once', () => {
  const key: GroupKey = { by: 'width', property: NUMBER, width: 10, origin: 0 }
  const found = groupsBy(key, [numbers('v', [1, 9, 11]), numbers('v', [-0.5, 2]), []])
  assert.deepEqual(
    found?.groups.map(({ key, count }) => [...key, count]),
    [
      [-10, 1],
      [0, 2],
      [10, 1],
      [null, 1],
    ],
  )
})

test('a value is in the bin whose edges enclose it, though quotients are rounded', () => {
  const edgesOf = (width: number, origin: number, values: readonly number[]) =>
    groupsBy(
      { by: 'width', property: NUMBER, width, origin },
      values.map((value) => numbers('v', [value])),
    )?.groups.map(({ key }) => key[0])
  // 0.3 is below 3 * 0.1, and 0.7 below 7 * 0.1.
  assert.deepEqual(
    edgesOf(0.1, 0, [0.3, 0.30000000000000004, 0.7]),
    [0.2, 0.30000000000000004, 0.6000000000000001],
  )
  assert.deepEqual(edgesOf(2.5, -1, [-3.5, -1.0000000000000002, -1, 1.5]), [-3.5, -1, 1.5])
  // Where edges are not doubles of their own, a value is its own edge.
  assert.deepEqual(edgesOf(1, 0, [2 ** 60, 2 ** 60 + 256, -1e300, 0.5]), [-1e300, 0, 2 ** 60, 2 ** 60 + 256])
  assert.deepEqual(edgesOf(1, 1e300, [5, 5.5]), [5, 5.5])
})

test('units of the calendar begin before 1970 and before year 0, and in leap years', () => {
  const starts = (unit: CalendarUnit, instants: readonly number[]) =>
    groupsBy(
      { by: 'unit', property: ['t'], kind: 'instant', unit },
      instants.map((value) => [{ path: pathKey(['t']), kind: 'instant', value }]),
    )?.groups.map(({ key }) => new Date(Number(key[0])).toISOString().replace(':00:00.000Z', ''))
  const time = (text: string) => Date.parse(text)
  const times = [
    -0.25,
    time('1969-12-31T05:59:59.999Z'),
    time('2024-02-29T23:30:00Z'),
    time('-000001-11-05T01:02:03Z'),
  ]
  assert.deepEqual(starts('year', times), ['-000001-01-01T00', '1969-01-01T00', '2024-01-01T00'])
  assert.deepEqual(starts('quarter', times), ['-000001-10-01T00', '1969-10-01T00', '2024-01-01T00'])
  assert.deepEqual(starts('month', times), ['-000001-11-01T00', '1969-12-01T00', '2024-02-01T00'])
  assert.deepEqual(starts('week', times), ['-000001-11-01T00', '1969-12-29T00', '2024-02-26T00'])
  assert.deepEqual(starts('day', times), ['-000001-11-05T00', '1969-12-31T00', '2024-02-29T00'])
  assert.deepEqual(starts('hour', times), [
    '-000001-11-05T01',
    '1969-12-31T05',
    '1969-12-31T23',
    '2024-02-29T23',
  ])
})

test('texts that are dates have units, and others none', () => {
  const texts = ['2023-12-31', '2024-01-01', '2024-02-30', '2024-01-01T00:00', 'soon', '0000-03-01']
  const found = groupsBy(
    { by: 'unit', property: ['t'], kind: 'text', unit: 'week' },
    texts.map((value) => [{ path: pathKey(['t']), kind: 'text', value }]),
  )
  assert.deepEqual(
    found?.groups.map(({ key, count }) => [
      key[0] === null ? null : new Date(Number(key[0])).toISOString().slice(0, 10),
      count,
    ]),
    [
      ['0000-02-28', 1],
      ['2023-12-25', 1],
      ['2024-01-01', 1],
      [null, 3],
    ],
  )
})

test('cells hold the poles, and both sides of the 180th meridian', () => {
  const places = [[180, 90], [-180, 89], [179.9, -90], [-0.1, -0.1], [0, 0]] as const // biome-ignore format: pairs
  const cells = (degrees: number) =>
    groupsBy(
      { by: 'cells', property: 'attributes', degrees },
      places.map(([longitude, latitude]) => [
        { path: pathKey('attributes'), kind: 'place', value: { longitude, latitude } },
      ]),
    )?.groups.map(({ key, count }) => {
      const { longitude, latitude } = key[0] as Point
      return [longitude, latitude, count]
    })
  assert.deepEqual(cells(10), [
    [170, -90, 1],
    [-10, -10, 1],
    [0, 0, 1],
    [-180, 80, 2],
  ])
  // Corners lie outside the map if the width does not divide it.
  assert.deepEqual(cells(7), [
    [175, -91, 1],
    [-7, -7, 1],
    [0, 0, 1],
    [-182, 84, 2],
  ])
})

test('a sum beyond the largest number is null, and sorts last like it', () => {
  const lists = [[1, 1.5e308], [1, 1.7e308], [2, 5], [3, -3]].map(([group = 0, value = 0]) => [
    ...numbers('g', [group]),
    ...numbers('v', [value]),
  ]) // biome-ignore format: pairs
  const { reader, plain } = indexOf([lists.map((values, at) => documentOf(`d${at}`, values))])
  for (const descending of [false, true]) {
    const group: GroupRequest = {
      keys: [{ by: 'value', property: ['g'], kind: 'number' }],
      measures: ['sum', 'avg', 'median'].map((op) => ({ op, property: NUMBER, kind: 'number' })) as Measure[],
      sort: [{ by: 'measure', measure: 0, descending }],
      limit: 9,
    }
    new Comparison(plain, reader).compare({ ...BUDGET, group }, 1)
    const last = reader.search({ ...BUDGET, group }).groups?.groups.at(-1)
    assert.deepEqual(last, { key: [1], count: 2, measures: [null, 1.6e308, 1.6e308] })
  }
})
