/** The question behind a list, converted to and from addresses and to the input of the query action. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { type Askable, propertyOf, type ValueKind } from './askable.ts'
import { conditionFrom } from './cql.ts'
import { type Near, nearSort, pointText, pointTyped } from './near.ts'

/** A condition on a property. `key` identifies the property. */
export type Filter =
  /** The value is one of `values`, each in text form. The text form of a reference is `type/id`. */
  | { readonly is: 'any'; readonly key: string; readonly values: readonly string[] }
  /** The value is in a range, which excludes `to` if `isBelow` is set. An empty string leaves that end unbounded. */
  | {
      readonly is: 'range'
      readonly key: string
      readonly from: string
      readonly to: string
      readonly isBelow?: true
    }
  /** There is no value. */
  | { readonly is: 'none'; readonly key: string }
  /** The location is in a box. If the box crosses the 180th meridian, west is greater than east. */
  | { readonly is: 'box'; readonly key: string; readonly box: Box }

/** Western, southern, eastern and northern edge of a box, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** The question that selects a list within its type. */
export interface Asked {
  /** Search text, or an empty string. */
  readonly text: string
  readonly filters: readonly Filter[]
  /** Further condition in CQL2-Text, or an empty string. */
  readonly cql: string
  /** Key of the property to sort by, with a leading `-` if descending. Empty for id order. */
  readonly sort: string
  /** Sorts by distance from a point. Overrides `sort`. */
  readonly near?: Near | undefined
}

/** The empty question, which selects the whole list. */
export const NOTHING_ASKED: Asked = { text: '', filters: [], cql: '', sort: '' }

/** Returns the key of the property by which a list is sorted, or an empty string for id order. */
export function sortKeyOf({ sort }: Pick<Asked, 'sort'>): string {
  return sort.replace(/^-/, '')
}

/** Returns the keys of the properties by which a list is sorted and filtered, with the sort key first. */
export function keysOfAsked(asked: Pick<Asked, 'filters' | 'sort'>): string[] {
  const sorted = sortKeyOf(asked)
  return [...(sorted === '' ? [] : [sorted]), ...asked.filters.map(({ key }) => key)]
}

/** Reports whether a question filters or sorts the list. */
export function isAsked({ text, filters, cql, sort, near }: Asked): boolean {
  return filters.length > 0 || near !== undefined || `${text}${cql}${sort}` !== ''
}

/** Parses a question in the query string of an address. Ignores invalid parts. */
export function askedFrom(query: URLSearchParams): Asked {
  const any = new Map<string, string[]>()
  const filters: Filter[] = []
  let near: Near | undefined
  for (const [name, value] of query) {
    const [, how, key = ''] = /^(is|in|at|no|near)\.(.+)$/s.exec(name) ?? []
    const place = how === 'near' ? pointTyped(value) : undefined
    if (place !== undefined) near = { key, place }
    if (how === 'is') any.set(key, [...(any.get(key) ?? []), value])
    const [, from, below, to] = /^(.*?)\.\.(<?)(.*)$/s.exec(value) ?? []
    if (how === 'in' && from !== undefined && to !== undefined && from + to !== '')
      filters.push({ is: 'range', key, from, to, ...(below !== '' && { isBelow: true }) })
    if (how === 'no') filters.push({ is: 'none', key })
    const box = how === 'at' ? boxFrom(value) : undefined
    if (box !== undefined) filters.push({ is: 'box', key, box })
  }
  for (const [key, values] of any) filters.push({ is: 'any', key, values: [...new Set(values)] })
  const [text = '', cql = '', sort = ''] = ['text', 'where', 'sort'].map((name) => query.get(name) ?? '')
  return { text, filters, cql, sort, ...(near !== undefined && { near }) }
}

/** Parses a box of four numbers in degrees. Returns undefined if it is invalid. */
function boxFrom(text: string): Box | undefined {
  const numbers = text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)))
  const [west = 0, south = 0, east = 0, north = 0, more] = numbers
  const isBox =
    numbers.length === 4 &&
    more === undefined &&
    numbers.every(Number.isFinite) &&
    Math.max(Math.abs(west), Math.abs(east)) <= 180 &&
    south >= -90 &&
    south <= north &&
    north <= 90
  return isBox ? [west, south, east, north] : undefined
}

/** Returns the parameters of a question for the query string of an address. Their values may be empty. */
export function queryOfAsked({ text, filters, cql, sort, near }: Asked): [string, string][] {
  const members = filters.flatMap((filter): [string, string][] => {
    if (filter.is === 'any') return filter.values.map((value) => [`is.${filter.key}`, value])
    if (filter.is === 'box') return [[`at.${filter.key}`, filter.box.join(',')]]
    if (filter.is === 'none') return [[`no.${filter.key}`, '1']]
    return [[`in.${filter.key}`, `${filter.from}..${filter.isBelow ? '<' : ''}${filter.to}`]]
  })
  const others: [string, string][] = [
    ['where', cql],
    ['sort', sort],
    ...(near === undefined ? [] : [[`near.${near.key}`, pointText(near.place)] as [string, string]]),
  ]
  return [['text', text], ...members, ...others]
}

/** Returns `filters` with the filter for `key` replaced by `filter`, or removed if `filter` is undefined or empty. */
export function withFilter(
  filters: readonly Filter[],
  key: string,
  filter: Filter | undefined,
): readonly Filter[] {
  const isEmpty =
    filter === undefined ||
    (filter.is === 'any' && filter.values.length === 0) ||
    (filter.is === 'range' && filter.from + filter.to === '')
  const others = filters.filter((other) => other.key !== key)
  return isEmpty ? others : [...others, filter]
}

/**
 * Combines the filters and the optional condition `text` into one CQL2-JSON condition, or undefined if there are none.
 * Includes filters of properties that are not queryable, so that the world's error can list those that are.
 */
export function conditionOf(
  filters: readonly Filter[],
  askables: readonly Askable[],
  text?: JsonObject,
): JsonObject | undefined {
  const own = filters.flatMap((filter) => {
    const askable = askables.find(({ key }) => key === filter.key)
    return conditionsOf(filter, askable)
  })
  return allOf(text === undefined ? own : [...own, text])
}

/** Joins conditions into one. Returns undefined if there are none. */
export function allOf(conditions: readonly JsonObject[]): JsonObject | undefined {
  return conditions.length > 1 ? { op: 'and', args: [...conditions] } : conditions[0]
}

/** Returns the condition that a property has a value. */
export function hasValue(key: string): JsonObject {
  return { op: 'not', args: [{ op: 'isNull', args: [{ property: propertyOf(key) }] }] }
}

function conditionsOf(filter: Filter, askable: Askable | undefined): JsonObject[] {
  const property = { property: propertyOf(filter.key) }
  if (filter.is === 'box') return [{ op: 's_intersects', args: [property, { bbox: [...filter.box] }] }]
  const spelt = (text: string) => literalOf(text, askable?.kind ?? 'text')
  if (filter.is === 'any') {
    const [first, ...others] = filter.values.map(spelt)
    if (first === undefined) return []
    return [
      others.length === 0
        ? { op: '=', args: [property, first] }
        : { op: 'in', args: [property, [first, ...others]] },
    ]
  }
  if (filter.is === 'none') return [{ op: 'isNull', args: [property] }]
  const { from, to, isBelow } = filter
  const [low, high] = [spelt(from), spelt(to)]
  // Of several values of an entity, the same one must be within both bounds.
  if (from !== '' && to !== '' && !isBelow && typeof low !== 'object' && typeof low === typeof high)
    return [{ op: 'between', args: [property, low, high] }]
  return [
    ...(from === '' ? [] : [{ op: '>=', args: [property, low] }]),
    ...(to === '' ? [] : [{ op: isBelow ? '<' : '<=', args: [property, high] }]),
  ]
}

/** Returns the input of `worldwright:query` for a list. Rejects with `invalid_argument` if the CQL2-Text is invalid. */
export async function questionOf(
  type: string,
  asked: Asked,
  askables: readonly Askable[],
): Promise<JsonObject> {
  const { text, filters, cql, sort, near } = asked
  const where = conditionOf(filters, askables, await conditionFrom(cql))
  const order = near === undefined ? sort : nearSort(near)
  return {
    types: [type],
    ...(text !== '' && { text }),
    ...(where && { where }),
    ...(order !== '' && { sort: [order] }),
  }
}

/** Converts text to a CQL2-JSON value. Text that does not fit `kind` stays a string, which the world rejects. */
function literalOf(text: string, kind: ValueKind): JsonValue {
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'instant') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { date: text } : { timestamp: text }
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (kind === 'reference' && type !== undefined && id !== undefined) return { type, id }
  return text
}

/** Converts a facet value to the text form that filters use. */
export function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { type, id } = value as { type?: unknown; id?: unknown }
  return `${type}/${id}`
}
