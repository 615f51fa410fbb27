/** Types of the groups of a structured query. `P` stands for the properties that the query may name. */
import type { EntityRef } from './protocol.ts'

/** A key of groups: values of a property, bins of numbers, units of time (UTC), or cells of a map in degrees. */
export type GroupKeyInput<P> =
  | P
  | { property: P; kind?: string }
  | { property: P; width: number; origin?: number }
  | { property: P; unit: CalendarUnit; kind?: string }
  | { property: P; cells: number }

/** A unit of the calendar. Weeks begin on Monday. */
export type CalendarUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** A measure to compute in each group. Equal values of one entity count once. */
export interface MeasureInput<P> {
  op: 'count' | 'distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median'
  property: P
  kind?: string
}

/** Measures of a query, as a tuple where they are known. */
export type Measures<P = unknown> = readonly MeasureInput<P>[]

/** An order of groups: by number, key, or one of the query's measures. A leading minus sorts in descending order. */
export type GroupSort<M extends Measures> = `${'' | '-'}${'count' | 'key' | MeasureName<M>}`

type MeasureName<M extends Measures> = number extends M['length']
  ? `${MeasureInput<unknown>['op']}:${string}`
  : { [K in keyof M]: `${M[K]['op']}:${M[K]['property'] & string}` }[number]

/** A key as the world read it: with its kind, and with the origin of its bins. */
export interface GroupKey {
  property: string | string[]
  kind: string
  width?: number
  origin?: number
  unit?: CalendarUnit
  cells?: number
}

/** A measure as the world read it. `ignored` counts entities with values of other kinds. */
export interface Measure extends MeasureInput<string | string[]> {
  kind: string
  ignored?: number
}

/** One group of a result, with one value of `measures` for each requested measure. */
export interface Group<M extends Measures = Measures> {
  /**
   * One value for each key: a value, the lower edge of a bin, the first day of a unit (the time of an hour), the
   * south-western corner of a cell as longitude and latitude, or null for entities without a value.
   */
  key: (number | boolean | string | EntityRef | [number, number] | null)[]
  /** Number of entities. */
  count: number
  measures: { -readonly [K in keyof M]: MeasureValue<M[K]['op']> }
}

/** Value of a measure; null if the group has no values. */
type MeasureValue<Op> = Op extends 'count' | 'distinct'
  ? number
  : Op extends 'sum' | 'avg' | 'median'
    ? number | null
    : number | string | null
