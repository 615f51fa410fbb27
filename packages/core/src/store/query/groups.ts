/** Groups of a search result, with measures of each. Plain data, like the conditions beside it. */
import type { EntityKey, Point, PropertyPath } from './conditions.ts'

/** Groups to form over the whole result, independent of the requested page. */
export interface GroupRequest {
  /** Up to two keys. Without keys, the whole result is one group. */
  readonly keys: readonly GroupKey[]
  readonly measures: readonly Measure[]
  /** Order of the groups. Ties are broken by key, ascending. Null sorts last in both directions. */
  readonly sort: readonly GroupOrder[]
  /** Maximum number of groups. */
  readonly limit: number
}

/**
 * Key by which documents are grouped. A document is in one group for each of its distinct keys, and in the group `null` if it
 * has no value of the kind.
 */
export type GroupKey = { readonly property: PropertyPath } & (
  | { readonly by: 'value'; readonly kind: GroupedKind }
  /**
   * Bins `[origin + n * width, origin + (n + 1) * width)` of numbers, with edges as doubles. A value that is 2⁵⁰ widths or
   * more from zero is its own bin, because doubles cannot tell its edges apart; so is every value if `origin` is as far.
   */
  | { readonly by: 'width'; readonly width: number; readonly origin: number }
  /** Units of the calendar, in UTC; weeks begin on Monday. Values of kind `text` count if they are dates (`isDay`). */
  | { readonly by: 'unit'; readonly kind: 'instant' | 'text'; readonly unit: CalendarUnit }
  /**
   * Cells of a map, `degrees` wide and high, counted from longitude and latitude 0. The North Pole is in the cell to its
   * south, and longitude 180 is -180. The corner of a cell may lie beyond -180 or -90.
   */
  | { readonly by: 'cells'; readonly degrees: number }
)

/** Unit of the calendar, in UTC. */
export type CalendarUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** Measure of the values of one kind in a group. Equal values of one document count once. */
export type Measure = {
  readonly property: PropertyPath
} /** Number of documents with a value, or of distinct values. */ & (
  | { readonly op: 'count' | 'distinct'; readonly kind: GroupedKind }
  /**
   * Correctly rounded exact results; a sum beyond the largest double is null. The median of an even number of values is the
   * mean of the middle two.
   */
  | { readonly op: 'sum' | 'avg' | 'median'; readonly kind: 'number' }
  | { readonly op: 'min' | 'max'; readonly kind: 'number' | 'text' | 'instant' }
)

/** Kinds of values that can be counted. */
export type GroupedKind = 'number' | 'boolean' | 'text' | 'instant' | 'reference'

/**
 * Order of groups: by the number of documents, by key, or by a measure given as its index. Numbers and instants sort by
 * value, texts by their UTF-8 bytes, false before true, references by type and id, cells by latitude, then longitude.
 */
export type GroupOrder =
  | { readonly by: 'count' | 'key'; readonly descending: boolean }
  | { readonly by: 'measure'; readonly measure: number; readonly descending: boolean }

/** Groups of a whole search result. */
export interface GroupResult {
  readonly groups: readonly Group[]
  /** Number of groups, of which `groups` has the first. */
  readonly total: number
  /** Number of documents, for each measure, with indexed values of other kinds at its path. A time is not also a text. */
  readonly ignored: readonly number[]
  /**
   * True if the budget of time or memory ran out: all numbers cover only the documents that were visited. If it ran out
   * while the distinct values of a key were read, there are no groups; of a measure, the measure is null.
   */
  readonly partial?: true
}

/** One group, with its measures. */
export interface Group {
  /** One value per key: a value, the lower edge of a bin or unit (in milliseconds), or the south-western corner of a cell. */
  readonly key: readonly (number | boolean | string | EntityKey | Point | null)[]
  /** Number of documents. */
  readonly count: number
  /** One value per measure; null without values. An instant is in milliseconds. */
  readonly measures: readonly (number | string | null)[]
}
