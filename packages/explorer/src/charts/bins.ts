/** Divides an axis into bins with round edges. */

import { timeOf } from '@worldwright/extensions/shown'
import type { Filter } from '@worldwright/extensions/views'
import { tickStep } from 'd3-array'
import { utcTickInterval } from 'd3-time'
import { isTime, type Measure } from '../question/measures.ts'
import type { Extent } from './scale.ts'

/** A half-open range [`from`, `to`) and the number of values in it. */
export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Target and maximum number of bins. */
const AIM = 32
const MOST = 200

/** Minimum fraction of a time axis that the values must fill for the axis to span the bounds of its filter. */
const FILLED = 1 / 10

/**
 * Returns the extent of an axis. A time axis spans the bounds of its filter, so that a selected decade is shown in full.
 * Other axes, and time axes that the values would barely fill, have the extent of the values.
 */
export function axisOf(extent: Extent, measure: Measure, filters: readonly Filter[]): Extent {
  const filter = filters.find(({ key }) => key === measure.key)
  if (!isTime(measure) || filter?.is !== 'range') return extent
  const [least, most] = extent
  const bound = (text: string, end: number) => {
    const value = measure.kind === 'year' && text !== '' ? Number(text) : timeOf(text)
    return value !== undefined && Number.isFinite(value) ? value : end
  }
  const axis: Extent = [Math.min(least, bound(filter.from, least)), Math.max(most, bound(filter.to, most))]
  const isFilled = most === least || (most - least) / (axis[1] - axis[0]) >= FILLED
  return isFilled ? axis : extent
}

/** Returns the round edges of bins that cover an extent: at least two edges, in ascending order. */
export function endsOf(extent: Extent, measure: Measure, isLog: boolean): number[] {
  if (isLog) return logEnds(extent)
  return measure.kind === 'day' || measure.kind === 'instant' ? timeEnds(extent) : numberEnds(extent, measure)
}

/** Counts the values in each bin. `ends` are the edges of the bins in ascending order. */
export function binned(values: readonly number[], ends: readonly number[]): Bin[] {
  const counts = new Array<number>(Math.max(0, ends.length - 1)).fill(0)
  for (const value of values) {
    const index = ends.findLastIndex((end) => end <= value)
    if (index >= 0 && index < counts.length) counts[index] = (counts[index] ?? 0) + 1
  }
  return counts.map((count, index) => ({ from: ends[index] ?? 0, to: ends[index + 1] ?? 0, count }))
}

function numberEnds([least, most]: Extent, { isWhole, kind }: Measure): number[] {
  const aimed = tickStep(least, most, AIM)
  const step = isWhole || kind === 'year' ? Math.max(1, aimed) : aimed
  // The values are all equal, or the difference between them overflows.
  if (!(step > 0) || !Number.isFinite(step) || most - least === 0) return around(least, most)
  const first = Math.floor(least / step)
  const count = Math.min(MOST, Math.floor(most / step) - first + 1)
  return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(15)))
}

function around(least: number, most: number): number[] {
  const room = Math.max(Math.abs(least) * 1e-6, 1e-9)
  if (least === most)
    return Number.isInteger(least) && Math.abs(least) < 2 ** 52
      ? [least, least + 1]
      : [least - room, most + room]
  return [least, least / 2 + most / 2, Number.MAX_VALUE]
}

/** Returns several bin edges per power of ten, each with two significant digits. */
function logEnds([least, most]: Extent): number[] {
  const [from, to] = [Math.log10(least), Math.log10(most)]
  const each = [10, 5, 4, 3, 2, 1].find((count) => (to - from) * count <= AIM) ?? 1
  const first = Math.floor(from * each)
  const count = Math.min(MOST * 2, Math.floor(to * each) - first + 1)
  const ends = Array.from({ length: count + 1 }, (_, index) =>
    Number((10 ** ((first + index) / each)).toPrecision(2)),
  )
  // Rounding may have moved an outer edge inwards.
  if ((ends[0] ?? 0) > least) ends[0] = least
  if ((ends.at(-1) ?? 0) <= most) ends.push(most * 1.1)
  return ends.filter((end) => end > 0 && Number.isFinite(end))
}

function timeEnds([least, most]: Extent): number[] {
  const interval = utcTickInterval(new Date(least), new Date(most), AIM)
  if (interval === null) return [least, least + 86_400_000]
  const ends = [Number(interval.floor(new Date(least)))]
  while (ends.length <= MOST && (ends.at(-1) ?? most) <= most)
    ends.push(Number(interval.offset(new Date(ends.at(-1) ?? least), 1)))
  // Edges beyond the range of `Date` become NaN.
  return ends.some(Number.isNaN) ? [least, most + 1] : ends
}
