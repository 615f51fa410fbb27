/** Dates and timestamps as questions write them. */

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
const DAY_MS = 86_400_000

/** A whole day of UTC in milliseconds, both included. */
export interface Day {
  readonly first: number
  readonly last: number
}

/** The milliseconds of an RFC 3339 date-time since 1970, not whole where it is finer; undefined for any other text. */
export function instantFromText(text: string): number | undefined {
  const [, whole, fraction = '', offset] = TIMESTAMP.exec(text) ?? []
  if (whole === undefined || !isDate(whole.slice(0, 10))) return undefined
  const seconds = Date.parse(`${whole}${offset}`)
  return Number.isNaN(seconds) ? undefined : seconds + Number(`0${fraction}`) * 1_000
}

/** The day of a date such as 1990-01-31; undefined for any other text, and for days that no calendar has. */
export function dayFromText(text: string): Day | undefined {
  if (!DATE.test(text) || !isDate(text)) return undefined
  const first = Date.parse(`${text}T00:00:00Z`)
  return { first, last: justBefore(first + DAY_MS) }
}

/** The greatest number below this one. */
export function justBefore(number: number): number {
  if (number === 0) return -Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  view.setBigInt64(0, view.getBigInt64(0) - (number > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

/** An instant as RFC 3339 in UTC, to the millisecond. */
export function textFromInstant(instant: number): string {
  return new Date(instant).toISOString()
}

/** Whether the calendar has this day: `Date` takes 30 February for 1 March. */
function isDate(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === text
}
