/** Groups of a summary in addresses, such as `10:discoveryYear` and `avg:radiusKm`, and as members of a query. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { propertyOf } from './property-key.ts'
import type { KindOf, Known } from './question.ts'
import type { View } from './view.ts'

/** A property whose values form groups. */
interface GroupBy {
  readonly askable: Known
  /** `value` for a group per value, a unit of the calendar, or the width of the bins of a number. */
  readonly bin: string
}

/** A measure of each group. */
interface GroupMeasure {
  readonly askable: Known
  readonly op: string
}

/** Units of the calendar by which times form groups. */
export const UNITS: readonly string[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/** Splits the text of a key or a measure at its first colon. Returns undefined if there is none. */
export function splitGroup(text: string): readonly [how: string, key: string] | undefined {
  const [, how, key] = /^([^:]+):(.+)$/s.exec(text) ?? []
  return how === undefined || key === undefined ? undefined : [how, key]
}

/** Returns the members of a query that ask for the groups of a list. Without keys, the whole list is one group. */
export function groupsAsked(
  by: readonly GroupBy[],
  columns: readonly GroupMeasure[],
  order: string,
): JsonObject {
  const measures = columns.map(({ askable, op }) => ({
    op,
    property: propertyOf(askable.key),
    kind: askable.kind,
  }))
  const group = by.map(({ askable: { key, kind }, bin }) => ({
    property: propertyOf(key),
    kind,
    ...(UNITS.includes(bin) ? { unit: bin } : bin === 'value' ? {} : { width: Number(bin) }),
  }))
  return {
    ...(measures.length > 0 && { measures }),
    ...(group.length > 0 && { group, groupSort: [order] }),
  }
}

/**
 * Returns the members of a query for the groups of a summary, or none if its address does not name any. Calls `refuse` with
 * the name of a parameter that is invalid.
 */
export function groupsOf(
  { plot: { by = [], of = [], order } = {} }: View,
  kindOf: KindOf,
  refuse: (names: readonly string[]) => void,
): JsonObject {
  const known = (key: string) => kindOf(key) ?? { key, kind: 'text' as const, isDate: false }
  const keys = by.map((text) => {
    const [bin, key] = kindOf(text) === undefined ? (splitGroup(text) ?? ['value', text]) : ['', text]
    const askable = known(key)
    const usual = askable.kind === 'instant' || askable.isDate ? 'year' : 'value'
    if (bin !== '' && bin !== 'value' && !UNITS.includes(bin) && !(Number(bin) > 0)) refuse(['by'])
    return { askable, bin: bin === '' ? usual : bin }
  })
  const columns = of.map((text) => {
    const [op, key] = splitGroup(text) ?? ['', text]
    return { askable: known(key), op, text }
  })
  const isByKey =
    keys.length > 1 ||
    keys.some(({ askable: { kind, isDate } }) => kind === 'number' || kind === 'instant' || isDate)
  const names = ['key', 'count', ...of]
  if (order !== undefined && !names.includes(order.replace(/^-/, ''))) refuse(['order'])
  return groupsAsked(keys, columns, order ?? (isByKey ? 'key' : `-${names.at(-1)}`))
}

/**
 * Returns the text of a group that holds a range of numbers or times, or no value. Otherwise, as the value is its name,
 * undefined. `key` is the member of the query that forms the groups.
 */
export function binText(value: JsonValue | undefined, key: JsonObject | undefined): string | undefined {
  if (value === undefined || value === null) return 'none'
  const { unit, width } = key ?? {}
  if (typeof width === 'number') return `${amountText(value)} to below ${amountText(Number(value) + width)}`
  if (typeof unit !== 'string') return undefined
  const text = String(value)
  const [year = text] = /^-?\d+/.exec(text) ?? []
  if (unit === 'year') return year
  if (unit === 'quarter')
    return `${year} Q${Math.ceil(Number(text.slice(year.length + 1, year.length + 3)) / 3)}`
  return unit === 'month' ? text.slice(0, year.length + 3) : text
}

/** Formats a number without grouping, since it may be a year, and without the rounding errors of its last digits. */
export function amountText(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'number') return value === null || value === undefined ? undefined : String(value)
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))
}
