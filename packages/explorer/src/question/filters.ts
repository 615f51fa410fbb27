/** Conditions as a user sets them, as addresses spell them, and as questions to a world. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { type Askable, propertyOf, type ValueKind } from './askable.ts'
import { conditionFrom } from './cql.ts'
import { type Near, nearSort, pointText, pointTyped } from './near.ts'

/** A condition on one property, by its key. */
export type Filter =
  /** Any of these values, each as a text: a reference as `type/id`. */
  | { readonly is: 'any'; readonly key: string; readonly values: readonly string[] }
  /** From one value to another, both included; an empty text leaves that side open. */
  | { readonly is: 'range'; readonly key: string; readonly from: string; readonly to: string }
  /** A location within a box of degrees; its west is more than its east if it crosses the 180th meridian. */
  | { readonly is: 'box'; readonly key: string; readonly box: Box }

/** West, south, east and north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** The question to a list, apart from its type. */
export interface Asked {
  /** Words to look for; empty for none. */
  readonly text: string
  readonly filters: readonly Filter[]
  /** A condition in CQL2-Text that holds as well; empty for none. */
  readonly cql: string
  /** The key of a property, after a `-` if descending; empty for the order of ids. */
  readonly sort: string
  /** Nearest to a point first, instead of that order. */
  readonly near?: Near | undefined
}

/** The empty question: the plain list. */
export const NOTHING_ASKED: Asked = { text: '', filters: [], cql: '', sort: '' }

/** Returns the key of the property that a list is sorted by; empty for the order of ids. */
export function sortKeyOf({ sort }: Pick<Asked, 'sort'>): string {
  return sort.replace(/^-/, '')
}

/** Returns the keys of the properties that a list is sorted and filtered by, that of its order first. */
export function keysOfAsked(asked: Pick<Asked, 'filters' | 'sort'>): string[] {
  const sorted = sortKeyOf(asked)
  return [...(sorted === '' ? [] : [sorted]), ...asked.filters.map(({ key }) => key)]
}

/** Reports whether anything is asked at all. */
export function isAsked({ text, filters, cql, sort, near }: Asked): boolean {
  return filters.length > 0 || near !== undefined || `${text}${cql}${sort}` !== ''
}

/** Returns the question in the query of an address. Parts that it cannot read are left out. */
export function askedFrom(query: URLSearchParams): Asked {
  const any = new Map<string, string[]>()
  const filters: Filter[] = []
  let near: Near | undefined
  for (const [name, value] of query) {
    const [, how, key = ''] = /^(is|in|at|near)\.(.+)$/s.exec(name) ?? []
    const place = how === 'near' ? pointTyped(value) : undefined
    if (place !== undefined) near = { key, place }
    if (how === 'is') any.set(key, [...(any.get(key) ?? []), value])
    const [, from, to] = /^(.*?)\.\.(.*)$/s.exec(value) ?? []
    if (how === 'in' && from !== undefined && to !== undefined && from + to !== '')
      filters.push({ is: 'range', key, from, to })
    const box = how === 'at' ? boxFrom(value) : undefined
    if (box !== undefined) filters.push({ is: 'box', key, box })
  }
  for (const [key, values] of any) filters.push({ is: 'any', key, values: [...new Set(values)] })
  const [text = '', cql = '', sort = ''] = ['text', 'where', 'sort'].map((name) => query.get(name) ?? '')
  return { text, filters, cql, sort, ...(near !== undefined && { near }) }
}

/** Parses a box written as four numbers of degrees; undefined if it is invalid. */
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

/** Returns the members of an address's query for a question. */
export function queryOfAsked({ text, filters, cql, sort, near }: Asked): [string, string][] {
  const members = filters.flatMap((filter): [string, string][] => {
    if (filter.is === 'any') return filter.values.map((value) => [`is.${filter.key}`, value])
    if (filter.is === 'box') return [[`at.${filter.key}`, filter.box.join(',')]]
    return [[`in.${filter.key}`, `${filter.from}..${filter.to}`]]
  })
  const others: [string, string][] = [
    ['where', cql],
    ['sort', sort],
    ...(near === undefined ? [] : [[`near.${near.key}`, pointText(near.place)] as [string, string]]),
  ]
  return [['text', text], ...members, ...others]
}

/** Returns the filters with another one for its property; undefined removes the present one. */
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
 * Combines the filters, and a condition that was read from text, to one condition of CQL2-JSON; undefined without any. A
 * property that is not queryable is sent all the same: the world reports which ones are.
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
  const all = text === undefined ? own : [...own, text]
  return all.length > 1 ? { op: 'and', args: all } : all[0]
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
  return [
    ...(filter.from === '' ? [] : [{ op: '>=', args: [property, spelt(filter.from)] }]),
    ...(filter.to === '' ? [] : [{ op: '<=', args: [property, spelt(filter.to)] }]),
  ]
}

/** Returns the input of `worldwright:query` for a list. Rejects with `invalid_argument` if its condition is no CQL2-Text. */
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

/** Converts a value to CQL2-JSON. A text that is not of its kind stays a text, which the world refuses by name. */
function literalOf(text: string, kind: ValueKind): JsonValue {
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'instant') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { date: text } : { timestamp: text }
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (kind === 'reference' && type !== undefined && id !== undefined) return { type, id }
  return text
}

/** Returns a value of a facet as a filter spells it. */
export function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { type, id } = value as { type?: unknown; id?: unknown }
  return `${type}/${id}`
}
