/** Converts dates and times in a sheet, stored as serial day numbers with the time of day as a fraction. */

const DAY_MS = 86_400_000
/** Day 0 for days from 1 March 1900. It is one day early, since Excel also counts the nonexistent 29 February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Serial number of the day after 31 December 9999. */
const LAST_DAY = 2_958_466

/** Converts a serial number to an RFC 3339 date, time or date-time, or returns undefined if there is no such day. */
export function dateText(
  serial: number,
  kind: 'date' | 'time' | 'date-time',
  epoch1904: boolean,
): string | undefined {
  if (serial < 0 || serial >= LAST_DAY) return undefined
  // Excel stores times to the millisecond, so any finer fraction is a rounding error.
  const ms = Math.round(serial * DAY_MS)
  const day = Math.floor(ms / DAY_MS)
  const time = ms - day * DAY_MS
  if (kind === 'time' && day === 0) return clock(time)
  const epoch = epoch1904 ? EPOCH_1904 : day < 60 ? EPOCH_1900 + DAY_MS : EPOCH_1900
  // Excel displays these as 29 February and 0 January 1900, which do not exist.
  if (!epoch1904 && (day === 60 || day === 0)) return undefined
  const date = new Date(epoch + day * DAY_MS).toISOString().slice(0, 10)
  return kind === 'date' && time === 0 ? date : `${date}T${clock(time)}`
}

/** Formats a number of days as hours, minutes and seconds, even beyond 24 hours. */
export function timeText(days: number): string {
  return clock(Math.round(days * DAY_MS))
}

/** Formats a time of day, with milliseconds unless they are zero. */
function clock(ms: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const whole = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  const rest = ms % 1000
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0')}`
}
