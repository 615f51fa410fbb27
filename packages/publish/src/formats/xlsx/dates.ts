/** Dates and times of a sheet: serial numbers of days, with fractions for the time. */

const DAY_MS = 86_400_000
/** From 1 March 1900 on, days count from here. Before, Excel counts a day that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** 31 December 9999. */
const LAST_DAY = 2_958_466

/**
 * The date, time or both that a serial number stands for, as RFC 3339 writes them; undefined if it is no day that
 * there is.
 */
export function dateText(
  serial: number,
  kind: 'date' | 'time' | 'date-time',
  epoch1904: boolean,
): string | undefined {
  if (serial < 0 || serial >= LAST_DAY) return undefined
  // Excel keeps time to the millisecond; halves of one come from the fraction of a double.
  const ms = Math.round(serial * DAY_MS)
  const day = Math.floor(ms / DAY_MS)
  const time = ms - day * DAY_MS
  if (kind === 'time' && day === 0) return clock(time)
  const epoch = epoch1904 ? EPOCH_1904 : day < 60 ? EPOCH_1900 + DAY_MS : EPOCH_1900
  // The 29 February 1900 that Excel shows is no date.
  if (!epoch1904 && (day === 60 || day === 0)) return undefined
  const date = new Date(epoch + day * DAY_MS).toISOString().slice(0, 10)
  return kind === 'date' && time === 0 ? date : `${date}T${clock(time)}`
}

/** The time that a number of days takes, beyond 24 hours, too. */
export function timeText(days: number): string {
  return clock(Math.round(days * DAY_MS))
}

/** Hours, minutes and seconds, with milliseconds where there are any. */
function clock(ms: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const whole = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  const rest = ms % 1000
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0')}`
}
