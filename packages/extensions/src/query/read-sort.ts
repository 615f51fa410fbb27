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
    return byValue(descending ? value.slice(1) : value, pointer, { descending }, context)
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
  return byValue(
    property,
    `${pointer}/property`,
    { descending, kind, kindPointer: `${pointer}/kind` },
    context,
  )
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
    return context.faults.add(
      `${pointer}/op`,
      'not_allowed',
      'of what is computed, distance and sample alone are orders',
    )
  if (typeof descending !== 'boolean')
    return context.faults.add(`${pointer}/descending`, 'wrong_type', 'descending is true or false')
  const center = readCenter({ op, args: args ?? [] }, pointer, context)
  return center && { by: 'distance', property: center.path, from: center.point, descending }
}

function byValue(
  property: JsonValue | undefined,
  pointer: string,
  how: { descending: boolean; kind?: JsonValue | undefined; kindPointer?: string },
  context: ReadContext,
): SortKey | undefined {
  const askable = readProperty(property, pointer, context)
  const kind = askable && readKind(askable, SORTABLE, { pointer, ...how }, context)
  return kind && { by: 'value', property: askable.path, kind, descending: how.descending }
}

/** Returns the kind of value to sort by or count: the requested kind or, by default, the only possible one. */
export function readKind<K extends ValueKind>(
  askable: Askable,
  possible: readonly K[],
  asked: { readonly pointer: string; readonly kind?: JsonValue | undefined; readonly kindPointer?: string },
  { faults }: ReadContext,
): K | undefined {
  const { path, kinds } = askable
  const held = possible.filter((kind) => kinds.has(kind))
  const [only] = held
  const { pointer, kind, kindPointer = pointer } = asked
  if (kind !== undefined) {
    const named = held.find((one) => one === kind)
    const message = `${shownPath(path)} has the kinds ${[...kinds].join(', ')} here; of these, ${held.join(', ') || 'none'} can be asked for so`
    return named ?? faults.add(kindPointer, 'not_allowed', message)
  }
  if (only === undefined)
    return faults.add(
      pointer,
      'wrong_type',
      `${shownPath(path)} ${holds(askable)}; this takes ${possible.join(', ')}`,
    )
  if (held.length === 1) return only
  return faults.add(
    pointer,
    'wrong_type',
    `${shownPath(path)} is a ${held.join(' here and a ')} there: name one type, or a kind`,
  )
}

/** Adds a fault for each unknown member. */
export function noOthers(others: JsonObject, pointer: string, { faults }: Pick<ReadContext, 'faults'>): void {
  for (const name of Object.keys(others)) faults.addMember(pointer, name)
}
