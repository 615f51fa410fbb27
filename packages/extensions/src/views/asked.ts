/** Questions that select the entities of a view: a search text, conditions on properties, and an order. */
import { type Near, pointText, pointTyped } from './near.ts'

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

/** Reads the conditions of a question from the parameters of an address, one by one. */
export class AskedReader {
  readonly #any = new Map<string, Set<string>>()
  readonly #filters: Filter[] = []
  #near: Near | undefined

  /** Reads a parameter. Returns false if it is no valid condition, or a second point to sort by. */
  read(name: string, value: string): boolean {
    const [, how, key = ''] = /^(is|in|at|no|near)\.(.+)$/s.exec(name) ?? []
    if (how === 'is' && value !== '') {
      this.#any.set(key, (this.#any.get(key) ?? new Set()).add(value))
      return true
    }
    if (how === 'near') {
      const place = this.#near ? undefined : pointTyped(value)
      if (place !== undefined) this.#near = { key, place }
      return place !== undefined
    }
    const filter = how === undefined ? undefined : filterFrom(how, key, value)
    if (filter !== undefined) this.#filters.push(filter)
    return filter !== undefined
  }

  /** Returns the question with all conditions that were read. */
  asked(text: string, cql: string, sort: string): Asked {
    const any = [...this.#any].map(([key, values]): Filter => ({ is: 'any', key, values: [...values] }))
    const near = this.#near && { near: this.#near }
    return { text, filters: [...this.#filters, ...any], cql, sort, ...near }
  }
}

function filterFrom(how: string, key: string, value: string): Filter | undefined {
  if (how === 'no') return { is: 'none', key }
  const box = how === 'at' ? boxFrom(value) : undefined
  if (box !== undefined) return { is: 'box', key, box }
  const [, from = '', below, to = ''] = /^(.*?)\.\.(<?)(.*)$/s.exec(value) ?? []
  if (how !== 'in' || from + to === '') return undefined
  return { is: 'range', key, from, to, ...(below !== '' && { isBelow: true }) }
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
