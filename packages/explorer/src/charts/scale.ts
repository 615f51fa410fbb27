/** From values to places on an axis, with round values to write beside it. */
import { extent, ticks } from 'd3-array'
import { utcTicks } from 'd3-time'
import { locale } from '../navigation/settings.ts'
import type { Measure } from '../question/measures.ts'
import { digits } from '../words/words.ts'

/** How the values of an axis become places on it. */
export interface Scale {
  /** From 0 at its least value to 1 at its greatest. */
  readonly at: (value: number) => number
  /** Values that are written at the axis. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** The least and the greatest of some values. */
export type Extent = readonly [number, number]

/** The extent of values; undefined if there are none. */
export function extentOf(values: Iterable<number>): Extent | undefined {
  const [least, most] = extent(values)
  return least === undefined ? undefined : [least, most]
}

/** An axis that counts in powers of ten is offered from this ratio on, and chosen by itself from the other. */
const MAY_BE_LOG = 50
const IS_LOG = 500

/** Whether an axis may count in powers of ten: only what is above zero has a place on it. */
export function mayBeLog([least, most]: Extent, { kind }: Measure): boolean {
  return kind === 'number' && least > 0 && most / least >= MAY_BE_LOG
}

/** Whether an axis counts in powers of ten: as the address says, else where its values are of very different sizes. */
export function isLog(extent: Extent, measure: Measure, chosen: boolean | undefined): boolean {
  return mayBeLog(extent, measure) && (chosen ?? extent[1] / extent[0] >= IS_LOG)
}

/** The axis of a measure over an extent, with about `count` values written at it. */
export function scaleOf(extent: Extent, measure: Measure, options: { isLog: boolean; count: number }): Scale {
  const { count } = options
  if (options.isLog) return logScale(extent, count)
  const [least, most] = widened(extent, measure)
  const values =
    measure.kind === 'day' || measure.kind === 'instant'
      ? timeTicks([least, most], count)
      : ticks(least, most, measure.isWhole ? Math.min(count, Math.max(1, most - least)) : count).map(
          (value) => ({ value, text: shortText(value, measure) }),
        )
  const seen = values.filter(({ value }) => value >= least && value <= most)
  // Where round values are beyond what numbers hold, the ends are written.
  const ends = [least, most].map((value) => ({ value, text: shortText(value, measure) }))
  return {
    at: between(least, most),
    ticks: seen.length > 0 || measure.kind === 'day' || measure.kind === 'instant' ? seen : ends,
  }
}

/** A value of a measure in words, whole. */
export function positionText(value: number, measure: Measure): string {
  if (measure.kind === 'day' || measure.kind === 'instant') return dateText(value, measure.kind === 'instant')
  return digits(Number(value.toPrecision(6)), measure.field.isGrouped && measure.kind !== 'year')
}

/** Half of each first: the distance of two finite numbers may be infinite. */
function between(least: number, most: number): (value: number) => number {
  const room = most / 2 - least / 2
  return (value) => (value / 2 - least / 2) / room
}

/** A single value stands in the middle. */
function widened([least, most]: Extent, { kind }: Measure): Extent {
  if (least < most) return [least, most]
  const room = kind === 'day' || kind === 'instant' ? 86_400_000 : Math.max(Math.abs(least) * 0.1, 1e-9)
  const [from, to] = kind === 'year' ? [least - 1, most + 1] : [least - room, most + room]
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : [least / 2, most]
}

function logScale([least, most]: Extent, count: number): Scale {
  const [from, to] = [Math.log10(least), Math.log10(most)]
  const step = Math.max(1, Math.ceil((to - from) / count))
  const powers = Array.from({ length: Math.floor(to / step) - Math.ceil(from / step) + 1 }, (_, index) => {
    return (Math.ceil(from / step) + index) * step
  })
  const many =
    powers.length < 3
      ? powers.flatMap((power) => [power, power + Math.log10(2), power + Math.log10(5)])
      : powers
  return {
    at: (value) => (Math.log10(value) - from) / (to - from),
    ticks: many
      .filter((power) => power >= from && power <= to)
      .map((power) => Number((10 ** power).toPrecision(3)))
      .map((value) => ({ value, text: digits(value) })),
  }
}

/** A number as short as an axis needs it: millions are said, not written out. */
function shortText(value: number, { kind, field }: Measure): string {
  const size = Math.abs(value)
  if (kind === 'year') return digits(Math.round(value), false)
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

/** A day, or a moment of it; years that calendars write with their era as numbers with a sign. */
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
