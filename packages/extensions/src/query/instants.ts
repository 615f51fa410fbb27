/** Parses and formats dates and timestamps in queries. */

import { isDay } from '@worldwright/core/store'

const DAY_MS = 86_400_000

/** First and last instant of a UTC day, inclusive, in milliseconds. */
export interface Day {
  readonly first: number
  readonly last: number
}

/** Parses a date such as 1990-01-31. Returns undefined for other text and for invalid dates. */
export function dayFromText(text: string): Day | undefined {
  if (!isDay(text)) return undefined
  const first = Date.parse(`${text}T00:00:00Z`)
  return { first, last: justBefore(first + DAY_MS) }
}

/** Returns the largest floating-point number below `number`. */
export function justBefore(number: number): number {
  if (number === 0) return -Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  view.setBigInt64(0, view.getBigInt64(0) - (number > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

/** Formats an instant as RFC 3339 in UTC, to the millisecond. */
export function textFromInstant(instant: number): string {
  return new Date(instant).toISOString()
}
