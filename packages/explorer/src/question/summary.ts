/** The summary of a list: groups by up to two properties, with measures, in the forms of addresses and of queries. */

import { timeOf } from '@worldwright/extensions/shown'
import { type Asked, type Filter, splitGroup, textOfValue } from '@worldwright/extensions/views'
import { tickStep } from 'd3-array'
import { utcDay, utcHour, utcMonth, utcYear } from 'd3-time'
import { type Askable, isCounted, isMeasured } from './askable.ts'
import { type Measure, measuresOf, rangeFilter } from './measures.ts'
import type { Facet, Group } from './question.ts'

/** A key of the groups. */
export interface By {
  readonly askable: Askable
  /** `value` for a group per value, a unit of the calendar, or the width of the bins of a number. */
  readonly bin: string
}

/** A measure of each group. */
export interface Column {
  readonly askable: Askable
  readonly op: Op
  /** The measure in addresses and in orders of groups, such as `avg:radiusKm`. */
  readonly text: string
}

/** Operations of the measures of a group. */
export type Op = 'avg' | 'median' | 'sum' | 'min' | 'max' | 'distinct'

/** Units of the calendar, each as an interval and its number of steps. */
const UNITS = {
  year: [utcYear, 1],
  quarter: [utcMonth, 3],
  month: [utcMonth, 1],
  week: [utcDay, 7],
  day: [utcDay, 1],
  hour: [utcHour, 1],
} as const

/** Parses a key of an address, such as `10:discoveryYear`. Without a bin, `facet` determines the default. */
export function byFrom(
  text: string,
  askables: readonly Askable[],
  facet: (key: string) => Facet | undefined,
): By | undefined {
  const known = (name: string) => askables.find(({ key }) => key === name)
  const whole = known(text)
  if (whole !== undefined) return { askable: whole, bin: defaultBin(whole, facet(text)) }
  const [bin = '', key = ''] = splitGroup(text) ?? []
  const askable = known(key)
  return askable && (bin === 'value' || binsOf({ askable, bin }).includes(bin)) ? { askable, bin } : undefined
}

/** Formats a key for an address. */
export function textOfBy({ askable, bin }: By): string {
  return `${bin}:${askable.key}`
}

/** Parses a measure of an address, such as `avg:radiusKm`. */
export function columnFrom(text: string, askables: readonly Askable[]): Column | undefined {
  const [name, key] = splitGroup(text) ?? []
  const askable = askables.find((one) => one.key === key)
  const op = askable && opsOf(askable).find((one) => one === name)
  return askable && op && { askable, op, text }
}

/** Returns the operations that suit a property, the most useful first. */
export function opsOf(askable: Askable): Op[] {
  const { kind, isDate } = askable
  if (measureOf(askable)?.kind === 'year') return ['min', 'max', 'median', 'avg', 'distinct']
  if (kind === 'number' && isMeasured(askable)) return ['avg', 'median', 'sum', 'min', 'max', 'distinct']
  return kind === 'instant' || isDate ? ['min', 'max', 'distinct'] : ['distinct']
}

/** Returns the bins offered for a key: `value`, units of the calendar, or round widths around the width in use. */
export function binsOf({ askable, bin }: By): string[] {
  const measure = measureOf(askable)
  if (measure === undefined) return ['value']
  if (measure.kind === 'year') return withBin(['value', '10', '100'], bin)
  if (measure.kind !== 'number') return Object.keys(UNITS).slice(0, measure.kind === 'day' ? 5 : 6)
  const width = Number(bin) > 0 ? Number(bin) : 10
  const widths = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((times) => String(Number((width * times).toPrecision(3))))
  return withBin(['value', ...widths], bin)
}

function withBin(bins: readonly string[], bin: string): string[] {
  return [...new Set(Number(bin) > 0 ? [...bins, bin] : bins)]
}

const DAY = 86_400_000

/** Returns the bin that divides the values of a facet into some 5 to 30 groups. */
function defaultBin(askable: Askable, facet: Facet | undefined): string {
  const measure = measureOf(askable)
  if (measure === undefined) return 'value'
  if (measure.kind === 'day') return 'year'
  const [least = 0, most = 0] = [facet?.minimum, facet?.maximum].map((one) =>
    typeof one === 'string' ? (timeOf(one) ?? 0) : Number(one ?? 0),
  )
  const span = most - least
  if (measure.kind === 'instant')
    return span > 1_000 * DAY || facet === undefined ? 'year' : span > 60 * DAY ? 'month' : 'day'
  if (measure.kind === 'year') return span > 1_000 ? '100' : span > 30 ? '10' : 'value'
  return span > (measure.isWhole ? 20 : 0) ? String(tickStep(least, most, 10)) : 'value'
}

/** Returns the property of a key as an axis. Undefined if its values have no positions. */
export function measureOf(askable: Askable): Measure | undefined {
  return measuresOf([askable])[0]
}

/**
 * Returns the key that says most about a list: the one with the most entities outside its most frequent value, among the
 * values listed in the facets. If no property divides the list so, it is a time, or else the first property.
 */
export function proposedKey(
  askables: readonly Askable[],
  facets: ReadonlyMap<string, Facet>,
): string | undefined {
  const present = Math.max(1, ...[...facets.values()].map((facet) => facet.present))
  const score = ({ key }: Askable) => {
    const { buckets = [], present: valued = 0 } = facets.get(key) ?? {}
    const [most = 0, ...others] = buckets.map(({ count }) => count).filter((one) => one > 1)
    const counted = others.reduce((sum, one) => sum + one, 0)
    return Math.min(counted, valued - most) / present
  }
  const [best] = askables.filter(isCounted).toSorted((a, b) => score(b) - score(a))
  if (best !== undefined && score(best) >= LEAST_SCORE) return best.key
  return (askables.find(isTimed) ?? best ?? askables[0])?.key
}

/** Minimum fraction of the entities outside the most frequent value at which a property is proposed as the key. */
const LEAST_SCORE = 0.1

/** Returns the order of the groups: `order` if they can be ordered so, or else bins and pairs by key, values by number. */
export function orderOf(
  order: string | undefined,
  [first, second]: readonly By[],
  columns: readonly Column[],
): string {
  const names = ['key', 'count', ...columns.map(({ text }) => text)]
  if (order !== undefined && names.includes(order.replace(/^-/, ''))) return order
  // Bins, times and years have an order of their own.
  const isByKey = second !== undefined || (first !== undefined && measureOf(first.askable) !== undefined)
  return isByKey ? 'key' : `-${names.at(-1)}`
}

/** Reports whether the values of a property are times. */
export function isTimed(askable: Askable): boolean {
  const measure = measureOf(askable)
  return measure !== undefined && measure.kind !== 'number'
}

/** Returns the range of a bin in positions, the end excluded. Undefined for a single value. */
export function rangeOf(value: unknown, { bin }: By): readonly [number, number] | undefined {
  const unit = UNITS[bin as keyof typeof UNITS]
  if (bin === 'value' || value === null) return undefined
  if (unit === undefined) return [Number(value), Number((Number(value) + Number(bin)).toPrecision(15))]
  const start = timeOf(String(value)) ?? Number.NaN
  return [start, Number(unit[0].offset(new Date(start), unit[1]))]
}

/** Returns the filter that selects the entities with a key. */
export function filterOf(value: unknown, by: By): Filter {
  const { key } = by.askable
  if (value === null) return { is: 'none', key }
  const range = rangeOf(value, by)
  const measure = measureOf(by.askable)
  if (range === undefined || measure === undefined) return { is: 'any', key, values: [textOfValue(value)] }
  return rangeFilter(...range, measure)
}

/** Narrows a question to the entities of a group. Undefined if the address of a list cannot express it. */
export function askedOf({ key }: Pick<Group, 'key'>, asked: Asked, by: readonly By[]): Asked | undefined {
  let filters: readonly Filter[] | undefined = asked.filters
  for (const [index, value] of key.entries()) {
    const one = by[index]
    filters = one && filters && withBoth(filters, filterOf(value, one))
  }
  return filters && { ...asked, filters }
}

function withBoth(filters: readonly Filter[], added: Filter): Filter[] | undefined {
  if (added.is !== 'any') return [...filters, added]
  const [value = ''] = added.values
  const same = filters.find(({ is, key }) => is === 'any' && key === added.key)
  // An address holds neither the empty text nor two lists of values of one property.
  if (value === '' || (same?.is === 'any' && !same.values.includes(value))) return undefined
  return [...filters.filter((filter) => filter !== same), added]
}
