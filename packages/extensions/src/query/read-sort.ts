/** Reads `sort`, the order of the result. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { SortKey, ValueKind } from '@worldwright/core/store'
import type { Askable } from './askable.ts'
import { QUERY_MAX_SORT_KEYS } from './limits.ts'
import { holds } from './literals.ts'
import { shownPath } from './property-path.ts'
import type { ReadContext } from './read-context.ts'
import { readList } from './read-list.ts'
import { readProperty } from './read-property.ts'
import { readCenter } from './read-spatial.ts'

/** Name of the sort key for relevance. */
const RELEVANCE = 'relevance'
const SORTABLE = ['number', 'boolean', 'text', 'instant'] as const satisfies readonly ValueKind[]

/** Reads sort keys. `isRanked` is true if the query can be ranked by relevance. */
export function readSort(
  value: JsonValue,
  pointer: string,
  isRanked: boolean,
  context: ReadContext,
): SortKey[] {
  const form = 'sort is a list such as ["-mass", "title"]'
  return readList(value, pointer, { max: QUERY_MAX_SORT_KEYS, form, faults: context.faults }, (item, at) =>
    readKey(item, at, isRanked, context),
  )
}

function readKey(
  value: JsonValue,
  pointer: string,
  isRanked: boolean,
  context: ReadContext,
): SortKey | undefined {
  const { faults } = context
  if (value === RELEVANCE) {
    if (isRanked) return { by: RELEVANCE }
    return faults.add(pointer, 'not_allowed', 'an order by relevance needs a text, or similar')
  }
  if (typeof value === 'string') {
    const descending = value.startsWith('-')
    const property = descending ? value.slice(1) : value
    const found = readValues({ property }, SORTABLE, pointer, context, pointer)
    return found && { by: 'value', property: found.path, kind: found.kind, descending }
  }
  if (!isObject(value))
    return faults.add(pointer, 'wrong_type', 'a key is a property, -property, relevance or { property }')
  if (value['op'] === undefined) return readObject(value, pointer, context)
  return value['op'] === 'sample' ? bySample(value, pointer, context) : byDistance(value, pointer, context)
}

function readObject(value: JsonObject, pointer: string, context: ReadContext): SortKey | undefined {
  const { property, descending = false, kind, ...others } = value
  noOthers(others, pointer, context)
  if (typeof descending !== 'boolean')
    return context.faults.add(`${pointer}/descending`, 'wrong_type', 'descending is true or false')
  const found = readValues({ property, kind }, SORTABLE, pointer, context)
  return found && { by: 'value', property: found.path, kind: found.kind, descending }
}

function bySample(value: JsonObject, pointer: string, context: ReadContext): SortKey | undefined {
  const { op, args = [], ...others } = value
  noOthers(others, pointer, context)
  if (Array.isArray(args) && args.length === 0) return { by: 'sample' }
  return context.faults.add(`${pointer}/args`, 'wrong_type', 'a sample is { "op": "sample", "args": [] }')
}

function byDistance(value: JsonObject, pointer: string, context: ReadContext): SortKey | undefined {
  const { op, args, descending = false, ...others } = value
  noOthers(others, pointer, context)
  if (op !== 'distance')
    return context.faults.add(`${pointer}/op`, 'not_allowed', 'op of a sort key is distance or sample')
  if (typeof descending !== 'boolean')
    return context.faults.add(`${pointer}/descending`, 'wrong_type', 'descending is true or false')
  const center = readCenter({ op, args: args ?? [] }, pointer, context)
  return center && { by: 'distance', property: center.path, from: center.point, descending }
}

/** Reads a property, and the kind of its values as `readKind` does. Returns undefined if a fault was added. */
export function readValues<K extends ValueKind>(
  { property, kind }: { readonly property: JsonValue | undefined; readonly kind?: JsonValue | undefined },
  possible: readonly K[],
  pointer: string,
  context: ReadContext,
  propertyPointer = `${pointer}/property`,
): (Askable & { readonly kind: K }) | undefined {
  const askable = readProperty(property, propertyPointer, context)
  const found = askable && readKind(askable, kind, possible, pointer, context, propertyPointer)
  return found && { ...askable, kind: found }
}

/** Returns the kind of value to sort by or count: the requested kind or, by default, the only possible one. */
export function readKind<K extends ValueKind>(
  askable: Askable,
  kind: JsonValue | undefined,
  possible: readonly K[],
  pointer: string,
  { faults }: ReadContext,
  propertyPointer = `${pointer}/property`,
): K | undefined {
  const { path, kinds } = askable
  const held = possible.filter((one) => kinds.has(one))
  if (kind !== undefined) {
    const named = held.find((one) => one === kind)
    const message = `${shownPath(path)} has the kinds ${[...kinds].join(', ')}; this can use ${held.join(' or ') || 'none of them'}`
    return named ?? faults.add(`${pointer}/kind`, 'not_allowed', message)
  }
  if (held.length === 1) return held[0]
  const message =
    held.length === 0
      ? `${shownPath(path)} ${holds(askable)}; this needs the kind ${possible.join(' or ')}`
      : `${shownPath(path)} is a ${held.join(' here and a ')} there: name one type, or a kind`
  return faults.add(propertyPointer, 'wrong_type', message)
}

/** Adds a fault for each unknown member. */
export function noOthers(others: JsonObject, pointer: string, { faults }: Pick<ReadContext, 'faults'>): void {
  for (const name of Object.keys(others)) faults.addMember(pointer, name)
}
