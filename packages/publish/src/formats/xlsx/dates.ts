/** Dates and times of a sheet: serial numbers of days, with fractions for the time. */

const DAY_MS = 86_400_000
/** Epoch of days from 1 March 1900 on. Excel also counts 29 February 1900, which did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The first day after 31 December 9999. */
const LAST_DAY = 2_958_466

/**
 * Converts a serial number to a date, a time or both in the form of RFC 3339; undefined if there is no such
 * day.
 */
export function dateText(
  serial: number,
  kind: 'date' | 'time' | 'date-time',
  epoch1904: boolean,
): string | undefined {
  if (serial < 0 || serial >= LAST_DAY) return undefined
  // Excel keeps time to the millisecond; a finer fraction is the rounding error of a double.
  const ms = Math.round(serial * DAY_MS)
  const day = Math.floor(ms / DAY_MS)
  const time = ms - day * DAY_MS
  if (kind === 'time' && day === 0) return clock(time)
  const epoch = epoch1904 ? EPOCH_1904 : day < 60 ? EPOCH_1900 + DAY_MS : EPOCH_1900
  // Excel shows these as 29 February and 0 January 1900, which are no dates.
  if (!epoch1904 && (day === 60 || day === 0)) return undefined
  const date = new Date(epoch + day * DAY_MS).toISOString().slice(0, 10)
  return kind === 'date' && time === 0 ? date : `${date}T${clock(time)}`
}

/** Formats a number of days as hours, minutes and seconds, even beyond 24 hours. */
export function timeText(days: number): string {
  return clock(Math.round(days * DAY_MS))
}

/** Formats hours, minutes and seconds, with milliseconds if there are any. */
function clock(ms: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const whole = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  const rest = ms % 1000
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0')}`
}
