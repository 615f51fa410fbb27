/** Conditions, orders and facets over plain documents: what they mean, with no regard to speed. */

import { metresBetween } from '../columns/sphere.ts'
import type {
  Condition,
  FacetResult,
  Operand,
  PropertyPath,
  SortKey,
  SortPosition,
} from '../port/conditions.ts'
import {
  ANYWHERE,
  compareKeys,
  type DocumentKey,
  type PropertyValue,
  pathKey,
  type SearchDocument,
} from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { facetOf } from './plain-facets.fixture.ts'
import { type Comparable, compare, ofKind, operandOf, valuesAt } from './plain-values.fixture.ts'

/** A document that matches by its text, and how well; without text the score is 0. */
export interface Candidate {
  readonly document: SearchDocument
  readonly score: number
}

/** What a query comes to, but for what only an index can say. */
export interface PlainResult {
  readonly hits: readonly DocumentKey[]
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
  readonly facets?: readonly FacetResult[]
  readonly last?: SortPosition
  readonly unindexed?: number
}

/** Answers a query from the documents that its text finds. */
export function plainQuery(
  query: Query,
  candidates: readonly Candidate[],
  all: Iterable<SearchDocument>,
): PlainResult {
  const { types, where, limit, after, facets } = query
  const isRanked = query.similar !== undefined || query.text?.trim()
  const sort = query.sort?.length ? query.sort : isRanked ? RELEVANCE : []
  const found = candidates.filter(
    ({ document }) => (types?.includes(document.type) ?? true) && (!where || holds(where, document) === true),
  )
  const placed = found.map((candidate) => ({
    document: candidate.document,
    position: positionOf(sort, candidate),
  }))
  placed.sort((left, right) => comparePositions(sort, left.position, right.position))
  const rest = after ? placed.filter(({ position }) => comparePositions(sort, after, position) < 0) : placed
  const page = rest.slice(0, limit)
  const last = page.at(-1)?.position
  const types_ = [...new Set(found.map(({ document }) => document.type))].sort()
  const count = (type: string) => found.filter(({ document }) => document.type === type).length
  const unindexed = unindexedAmong(query, all)
  const documents = found.map(({ document }) => document)
  return {
    hits: page.map(({ document: { type, id } }) => ({ type, id })),
    total: found.length,
    counts: Object.fromEntries(types_.map((type) => [type, count(type)])),
    ...(facets && { facets: facets.map((facet) => facetOf(facet, documents)) }),
    ...(last && rest.length > page.length && { last }),
    ...(unindexed > 0 && { unindexed }),
  }
}

const RELEVANCE: readonly SortKey[] = [{ by: 'relevance' }]

/** Whether a condition holds: undefined where it is unknown. */
export function holds(condition: Condition, document: SearchDocument): boolean | undefined {
  switch (condition.op) {
    case 'and':
      return all(condition.conditions.map((each) => holds(each, document)))
    case 'or':
      return any(condition.conditions.map((each) => holds(each, document)))
    case 'not':
      return not(holds(condition.condition, document))
    case 'in':
      return any(condition.values.map((value) => compares('=', condition.property, value, document)))
    case 'between':
      return between(condition, document)
    case 'containsAll':
      return all(condition.values.map((value) => compares('=', condition.property, value, document)))
    case 'absent':
      return valuesAt(document, condition.property).length === 0
    case 'refersTo':
      return (document.values ?? []).some(
        (value) => value.kind === 'reference' && compareKeys(value.value, condition.target) === 0,
      )
    case 'prefix':
      return fits(
        ofKind(document, condition.property, 'text'),
        (text) => condition.prefix.isWellFormed() && String(text).startsWith(condition.prefix),
      )
    case 'inBox':
    case 'within':
      return placeFits(condition, document)
    default:
      return compares(condition.op, condition.property, condition.value, document)
  }
}

function all(results: readonly (boolean | undefined)[]): boolean | undefined {
  return results.includes(false) ? false : results.includes(undefined) ? undefined : true
}

function any(results: readonly (boolean | undefined)[]): boolean | undefined {
  return results.includes(true) ? true : results.includes(undefined) ? undefined : false
}

function not(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result
}

function fits(values: readonly Comparable[], fit: (value: Comparable) => boolean): boolean | undefined {
  return values.length === 0 ? undefined : values.some(fit)
}

function compares(
  op: '=' | '<' | '<=' | '>' | '>=',
  property: PropertyPath,
  operand: Operand,
  document: SearchDocument,
): boolean | undefined {
  const { kind, value } = operandOf(operand)
  return fits(ofKind(document, property, kind), (found) => {
    const order = orderTo(found, value)
    if (op === '=') return order === 0
    if (op === '<') return order < 0
    if (op === '<=') return order <= 0
    return op === '>' ? order > 0 : order >= 0
  })
}

/** As `compare`; a text that is not well-formed equals no other, and comes before the one that it would be written as. */
function orderTo(found: Comparable, operand: Comparable): number {
  const order = compare(found, operand)
  return order === 0 && typeof operand === 'string' && !operand.isWellFormed() ? 1 : order
}

function between(
  { property, low, high }: Extract<Condition, { op: 'between' }>,
  document: SearchDocument,
): boolean | undefined {
  const [least, most] = [operandOf(low), operandOf(high)]
  if (least.kind !== most.kind) return undefined
  return fits(
    ofKind(document, property, least.kind),
    (found) => orderTo(found, least.value) >= 0 && orderTo(found, most.value) <= 0,
  )
}

function placeFits(
  condition: Extract<Condition, { op: 'inBox' | 'within' }>,
  document: SearchDocument,
): boolean | undefined {
  const places = valuesAt(document, condition.property).filter((value) => value.kind === 'place')
  if (places.length === 0) return undefined
  return places.some(({ value }) => {
    if (condition.op === 'within') return metresBetween(condition.center, value) <= condition.metres
    const { west, south, east, north } = condition
    const { longitude, latitude } = value
    const isBetween =
      west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
    return latitude >= south && latitude <= north && isBetween
  })
}

function positionOf(sort: readonly SortKey[], { document, score }: Candidate): SortPosition {
  const values = sort.map((key) => {
    if (key.by === 'relevance') return score
    const found = key.by === 'value' ? ofKind(document, key.property, key.kind) : distances(document, key)
    return (key.descending ? found.at(-1) : found[0]) ?? null
  })
  return { type: document.type, id: document.id, values }
}

function distances(document: SearchDocument, key: Extract<SortKey, { by: 'distance' }>): number[] {
  return valuesAt(document, key.property)
    .flatMap((value) => (value.kind === 'place' ? [metresBetween(key.from, value.value)] : []))
    .sort((left, right) => left - right)
}

/** The order of positions by these keys. */
function comparePositions(sort: readonly SortKey[], left: SortPosition, right: SortPosition): number {
  for (const [at, key] of sort.entries()) {
    const [one = null, other = null] = [left.values[at], right.values[at]]
    if (one === null || other === null) {
      if (one !== other) return one === null ? 1 : -1
      continue
    }
    const order = compare(one, other)
    if (order !== 0) return key.by === 'relevance' || key.descending ? -order : order
  }
  return compareKeys(left, right)
}

function unindexedAmong(query: Query, documents: Iterable<SearchDocument>): number {
  const asked = new Set([...pathsOf(query)].map(pathKey))
  if (asked.size === 0) return 0
  let count = 0
  for (const { type, values = [] } of documents) {
    if (query.types?.includes(type) === false) continue
    const isLeftOut = ({ kind, path }: PropertyValue) =>
      kind === 'unindexed' && (path === ANYWHERE || asked.has(path))
    if (values.some(isLeftOut)) count += 1
  }
  return count
}

/** The paths that a query asks about. */
function* pathsOf({ where, sort = [], facets = [] }: Query): Generator<PropertyPath> {
  if (where) yield* pathsIn(where)
  for (const key of sort) if (key.by !== 'relevance') yield key.property
  for (const facet of facets) if (facet.facet !== 'referrers') yield facet.property
}

function* pathsIn(condition: Condition): Generator<PropertyPath> {
  if ('conditions' in condition) for (const each of condition.conditions) yield* pathsIn(each)
  else if ('condition' in condition) yield* pathsIn(condition.condition)
  else if ('property' in condition) yield condition.property
}
