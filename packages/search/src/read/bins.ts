/** Bins of values: equal widths, units of the calendar, and cells of a map. */
import { isDay } from '@worldwright/core/store'
import type { Column, Dictionary } from '../columns/column.ts'
import { gallop } from '../format/bisect.ts'
import type { CalendarUnit, GroupKey } from '../port/conditions.ts'
import type { Room } from './room.ts'

/** Bins of a column, in ascending order of their edges. */
export interface Bins {
  /** Lower edge of each bin, or its south-western corner. */
  readonly dictionary: Dictionary
  /** Bin of each value of the column, or -1. */
  readonly of: Int32Array
}

/** Edges of the values of a column, by ordinal. NaN for a value without a bin. */
interface Edges {
  edge(ordinal: number): number
  /** Western edge of a cell. */
  west?(ordinal: number): number
  /** True if values between two of the same bin are in that bin. */
  readonly isAscending: boolean
}

/** Finds the bins of all values of a column. */
export function binsOf(column: Column, key: Exclude<GroupKey, { by: 'value' }>, room: Room): Bins {
  const { values } = column
  const { edge, west, isAscending } = edgesOf(column, key)
  const of = new Int32Array(room.take(values) ? values : 0).fill(-1)
  const [edges, wests]: [number[], number[]] = [[], []]
  // Bins by lower edge, or cells by western edge: cells come in ascending order of latitude.
  const known = new Map<number, number>()
  for (let from = 0, latest = Number.NaN; from < of.length && !room.deadline.step(); ) {
    const [lower, western] = [edge(from), west?.(from) ?? 0]
    const end = isAscending ? gallop(from + 1, values, (ordinal) => edge(ordinal) === lower) : from + 1
    if (west && lower !== latest) known.clear()
    latest = lower
    let bin = Number.isNaN(lower) ? -1 : known.get(west ? western : lower)
    if (bin === undefined) {
      // Two edges, their place in a map, and the order of the bins.
      if (!room.take(12)) break
      bin = edges.push(lower) - 1
      wests.push(western)
      if (!isAscending) known.set(west ? western : lower, bin)
    }
    of.fill(bin, from, end)
    from = end
  }
  const ordinals = Uint32Array.from(edges.keys())
  const compare = (one: number, other: number) =>
    (edges[one] as number) - (edges[other] as number) || (wests[one] as number) - (wests[other] as number)
  const sorted = isAscending ? ordinals : ordinals.toSorted(compare)
  const ranks = new Int32Array(sorted.length)
  for (const [rank, bin] of sorted.entries()) ranks[bin] = rank
  const read = (from: number[]) => ({
    count: sorted.length,
    at: (rank: number) => from[sorted[rank] as number] as number,
  })
  return {
    dictionary: { numbers: read(edges), ...(west && { longitudes: read(wests) }) },
    of: isAscending ? of : of.map((bin) => ranks[bin] ?? -1),
  }
}

function edgesOf({ dictionary, values }: Column, key: Exclude<GroupKey, { by: 'value' }>): Edges {
  const { numbers, longitudes, texts } = dictionary
  if (texts) {
    const dayOf = (ordinal: number) => Buffer.from(texts.bytes(ordinal)).toString()
    return {
      edge: (ordinal) => (key.by === 'unit' ? unitOfDay(dayOf(ordinal), key.unit) : Number.NaN),
      isAscending: false,
    }
  }
  switch (key.by) {
    case 'unit':
      return { edge: (ordinal) => unitStart(numbers.at(ordinal), key.unit), isAscending: true }
    case 'width': {
      const { origin, width } = key
      const isAscending = ![0, values - 1].some((ordinal) => isFar(numbers.at(ordinal), origin, width))
      return { edge: (ordinal) => edgeOf(numbers.at(ordinal), origin, width), isAscending }
    }
    case 'cells':
      return {
        edge: (ordinal) => edgeOf(Math.min(numbers.at(ordinal), BELOW_POLE), 0, key.degrees),
        west: (ordinal) => edgeOf(westOf(longitudes?.at(ordinal) ?? 0), 0, key.degrees),
        isAscending: false,
      }
  }
}

/** Greatest latitude below the North Pole, which is in the cell to its south. */
const BELOW_POLE = 90 - 2 ** -46

function westOf(longitude: number): number {
  return longitude === 180 ? -180 : longitude
}

/**
 * Returns the lower edge of a value's bin: `origin + n * width` as a double, for the `n` with `edge(n) <= value < edge(n + 1)`.
 * A value that is far from zero, or from the origin, is its own edge: such edges might not be doubles of their own.
 */
export function edgeOf(value: number, origin: number, width: number): number {
  if (isFar(value, origin, width)) return value
  let n = Math.floor((value - origin) / width)
  while (origin + n * width > value) n -= 1
  while (origin + (n + 1) * width <= value) n += 1
  // Only the lowest bin may begin below all doubles.
  return Math.max(origin + n * width, -Number.MAX_VALUE)
}

/** Reports whether a value or the origin is 2⁵⁰ widths or more from zero, or their difference is not finite. */
function isFar(value: number, origin: number, width: number): boolean {
  return Math.max(Math.abs(value), Math.abs(origin)) >= width * 2 ** 50 || !Number.isFinite(value - origin)
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns the first instant of the unit of the calendar that contains an instant, in UTC. */
export function unitStart(instant: number, unit: CalendarUnit): number {
  const whole = Math.floor(instant)
  if (unit === 'hour') return Math.floor(whole / HOUR) * HOUR
  const day = Math.floor(whole / DAY)
  if (unit === 'day') return day * DAY
  // Day 0 was a Thursday.
  if (unit === 'week') return (Math.floor((day + 3) / 7) * 7 - 3) * DAY
  const date = new Date(day * DAY)
  const month = unit === 'year' ? 0 : date.getUTCMonth()
  return new Date(0).setUTCFullYear(
    date.getUTCFullYear(),
    unit === 'quarter' ? month - (month % 3) : month,
    1,
  )
}

function unitOfDay(text: string, unit: CalendarUnit): number {
  return isDay(text) ? unitStart(Date.parse(text), unit) : Number.NaN
}
