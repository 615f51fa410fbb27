/** Maps values to positions on an axis whose labels are round values. */
import { extent, ticks } from 'd3-array'
import { utcTicks } from 'd3-time'
import { locale } from '../navigation/settings.ts'
import type { Measure } from '../question/measures.ts'
import { digits } from '../words/words.ts'

/** Mapping of values to positions on an axis. */
export interface Scale {
  /** Returns the position of a value, from 0 at the minimum to 1 at the maximum. */
  readonly at: (value: number) => number
  /** Labelled values on the axis. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** Minimum and maximum of some values. */
export type Extent = readonly [number, number]

/** Returns the extent of the values, or undefined if there are none. */
export function extentOf(values: Iterable<number>): Extent | undefined {
  const [least, most] = extent(values)
  return least === undefined ? undefined : [least, most]
}

/** Minimum ratio of maximum to minimum at which a logarithmic axis is offered, and at which it is the default. */
const MAY_BE_LOG = 50
const IS_LOG = 500

/** Reports whether an axis may be logarithmic, which requires positive values. */
export function mayBeLog([least, most]: Extent, { kind }: Measure): boolean {
  return kind === 'number' && least > 0 && most / least >= MAY_BE_LOG
}

/** Reports whether an axis is logarithmic. `chosen` overrides the default, which depends on the extent. */
export function isLog(extent: Extent, measure: Measure, chosen: boolean | undefined): boolean {
  return mayBeLog(extent, measure) && (chosen ?? extent[1] / extent[0] >= IS_LOG)
}

/** Returns the scale of a measure over an extent, with about `count` labels. */
export function scaleOf(extent: Extent, measure: Measure, options: { isLog: boolean; count: number }): Scale {
  const { count } = options
  if (options.isLog) return logScale(extent, count)
  const [least, most] = widened(extent, measure)
  const isDated = measure.kind === 'day' || measure.kind === 'instant'
  const labelled = (value: number) => ({ value, text: shortText(value, measure) })
  const aimed = measure.isWhole ? Math.min(count, Math.max(1, most - least)) : count
  const values = isDated ? timeTicks([least, most], count) : ticks(least, most, aimed).map(labelled)
  const seen = values.filter(({ value }) => value >= least && value <= most)
  // Label both ends if there is no round value on the axis.
  return { at: between(least, most), ticks: seen.length > 0 || isDated ? seen : [least, most].map(labelled) }
}

/** Formats a value of a measure in full. */
export function positionText(value: number, measure: Measure): string {
  if (measure.kind === 'day' || measure.kind === 'instant') return dateText(value, measure.kind === 'instant')
  return digits(Number(value.toPrecision(6)), measure.field.isGrouped)
}

/** Returns a linear mapping. Halves all values first, since the difference of two finite numbers may overflow. */
function between(least: number, most: number): (value: number) => number {
  const room = most / 2 - least / 2
  return (value) => (value / 2 - least / 2) / room
}

/** Widens the extent of a single value, so that the value is in the middle. */
function widened([least, most]: Extent, { kind }: Measure): Extent {
  if (least < most) return [least, most]
  const room = kind === 'day' || kind === 'instant' ? 86_400_000 : Math.max(Math.abs(least) * 0.1, 1e-9)
  const [from, to] = kind === 'year' ? [least - 1, most + 1] : [least - room, most + room]
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : [least / 2, most]
}

function logScale([least, most]: Extent, count: number): Scale {
  const [from, to] = [Math.log10(least), Math.log10(most)]
  const step = Math.max(1, Math.ceil((to - from) / count))
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)]
  const powers = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  const within = powers.length < 3 ? [0, Math.log10(2), Math.log10(5)] : [0]
  const many = powers.flatMap((power) => within.map((more) => power + more))
  return {
    at: (value) => (Math.log10(value) - from) / (to - from),
    ticks: many
      .filter((power) => power >= from && power <= to)
      .map((power) => Number((10 ** power).toPrecision(3)))
      .map((value) => ({ value, text: digits(value) })),
  }
}

/** Formats a number for an axis, in compact notation from one million. */
function shortText(value: number, { kind, field }: Measure): string {
  const size = Math.abs(value)
  if (kind === 'year') return digits(Math.round(value), field.isGrouped)
  if (size >= 1e6 && size < 1e15)
    return new Intl.NumberFormat(locale.value, { notation: 'compact', maximumSignificantDigits: 4 }).format(
      value,
    )
  return digits(Number(value.toPrecision(12)), field.isGrouped)
}

const DAY = 86_400_000

function timeTicks([least, most]: Extent, count: number) {
  const times = utcTicks(new Date(least), new Date(most), count)
  const step = Number(times[1]) - Number(times[0])
  return times.map((time) => ({ value: Number(time), text: tickText(time, step) }))
}

function tickText(time: Date, step: number): string {
  if (step >= 360 * DAY || Number.isNaN(step)) return yearText(time)
  if (step >= 27 * DAY) return format({ month: 'short', year: 'numeric' }, time)
  if (step >= DAY) return format({ day: 'numeric', month: 'short' }, time)
  return format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }, time)
}

function yearText(time: Date): string {
  return digits(time.getUTCFullYear(), false)
}

/** Formats a day or an instant. Before year 1, formats only the signed year, since localized dates would add an era. */
function dateText(value: number, hasTime: boolean): string {
  const time = new Date(value)
  if (Number.isNaN(time.getTime())) return String(value)
  if (time.getUTCFullYear() < 1) return yearText(time)
  const clock = hasTime ? ({ hour: '2-digit', minute: '2-digit' } as const) : {}
  return format({ day: 'numeric', month: 'short', year: 'numeric', ...clock }, time)
}

function format(options: Intl.DateTimeFormatOptions, time: Date): string {
  return new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' }).format(time)
}
