/** Reads `facets`, which are counts over the whole result. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { FacetRequest } from '@worldwright/core/store'
import type { Askable } from './askable.ts'
import { QUERY_DEFAULT_BUCKETS, QUERY_MAX_BUCKETS, QUERY_MAX_FACETS } from './limits.ts'
import { comparedWith, readLiteral, readReference } from './literals.ts'
import type { ReadContext } from './read-context.ts'
import { readCount, readList } from './read-list.ts'
import { noOthers, readValues } from './read-sort.ts'

/** Kinds of values that can be counted. */
export const COUNTED = ['number', 'boolean', 'text', 'instant', 'reference'] as const
/** Kinds of values that have an order. */
export const RANGED = ['number', 'text', 'instant'] as const
const MEASURED = ['number', 'instant'] as const

/** Reads the requested facets, in order. */
export function readFacets(value: JsonValue, pointer: string, context: ReadContext): FacetRequest[] {
  const form = 'facets is a list such as ["discoveryYear"]'
  return readList(value, pointer, { max: QUERY_MAX_FACETS, form, faults: context.faults }, (item, at) =>
    readFacet(item, at, context),
  )
}

function readFacet(value: JsonValue, pointer: string, context: ReadContext): FacetRequest | undefined {
  if (typeof value === 'string') return valuesOf({ property: value }, pointer, pointer, context)
  if (!isObject(value))
    return context.faults.add(pointer, 'wrong_type', 'a facet is a property, { property } or { referrers }')
  if (value['referrers'] !== undefined) return referrersOf(value, pointer, context)
  if (value['ranges'] !== undefined) return rangesOf(value, pointer, context)
  if (value['histogram'] !== undefined) return histogramOf(value, pointer, context)
  return valuesOf(value, pointer, `${pointer}/property`, context)
}

function valuesOf(
  { property, kind, limit, ...others }: JsonObject,
  pointer: string,
  propertyPointer: string,
  context: ReadContext,
): FacetRequest | undefined {
  noOthers(others, pointer, context)
  const lines = readLines(limit, `${pointer}/limit`, context)
  const found = readValues({ property, kind }, COUNTED, pointer, context, propertyPointer)
  return found && { facet: 'values', property: found.path, kind: found.kind, limit: lines }
}

function referrersOf(
  { referrers, limit, ...others }: JsonObject,
  pointer: string,
  context: ReadContext,
): FacetRequest | undefined {
  noOthers(others, pointer, context)
  const lines = readLines(limit, `${pointer}/limit`, context)
  const { type, id, ...further } = isObject(referrers) ? referrers : {}
  noOthers(further, `${pointer}/referrers`, context)
  const target = readReference([type, id], `${pointer}/referrers`, context.faults)
  return target && { facet: 'referrers', target: target.value, limit: lines }
}

function histogramOf(
  { property, kind, histogram, ...others }: JsonObject,
  pointer: string,
  context: ReadContext,
): FacetRequest | undefined {
  noOthers(others, pointer, context)
  const buckets = readLines(histogram, `${pointer}/histogram`, context)
  const found = readValues({ property, kind }, MEASURED, pointer, context)
  return found && { facet: 'histogram', property: found.path, kind: found.kind, buckets }
}

function rangesOf(
  { property, kind, ranges, ...others }: JsonObject,
  pointer: string,
  context: ReadContext,
): FacetRequest | undefined {
  const { faults } = context
  noOthers(others, pointer, context)
  const found = readValues({ property, kind }, RANGED, pointer, context)
  if (!Array.isArray(ranges) || ranges.length === 0)
    return faults.add(`${pointer}/ranges`, 'wrong_type', 'ranges is a list of { from, to }')
  if (ranges.length > QUERY_MAX_BUCKETS)
    return faults.add(`${pointer}/ranges`, 'too_many', `a facet has ${QUERY_MAX_BUCKETS} ranges at most`)
  if (!found) return undefined
  const only = { ...found, kinds: new Set([found.kind]) }
  const read = ranges.map((range, index) => readRange(range, `${pointer}/ranges/${index}`, only, context))
  return { facet: 'ranges', property: found.path, kind: found.kind, ranges: read }
}

function readRange(
  value: JsonValue,
  pointer: string,
  askable: Askable,
  context: ReadContext,
): { from?: number | string; to?: number | string } {
  const { from, to, ...others } = isObject(value) ? value : {}
  if (!isObject(value))
    context.faults.add(pointer, 'wrong_type', 'a range is { from, to }, of which one may be absent')
  noOthers(others, pointer, context)
  const begin = readBound(from, `${pointer}/from`, askable, context)
  const end = readBound(to, `${pointer}/to`, askable, context)
  return { ...(begin !== undefined && { from: begin }), ...(end !== undefined && { to: end }) }
}

/** Reads a bound of a range. A day means its first instant, since a range includes `from` but not `to`. */
function readBound(value: JsonValue | undefined, pointer: string, askable: Askable, { faults }: ReadContext) {
  const literal = value === undefined ? undefined : readLiteral(value, pointer, faults)
  const [compared] = literal ? comparedWith(literal, askable, pointer, faults) : []
  if (compared === undefined) return undefined
  if ('day' in compared) return compared.day.first
  const { operand } = compared
  if (typeof operand === 'object') return 'instant' in operand ? operand.instant : undefined
  return typeof operand === 'boolean' ? undefined : operand
}

function readLines(value: JsonValue | undefined, pointer: string, { faults }: ReadContext): number {
  const form = `a facet has 1 to ${QUERY_MAX_BUCKETS} lines`
  return readCount(value ?? QUERY_DEFAULT_BUCKETS, pointer, { max: QUERY_MAX_BUCKETS, form, faults })
}
