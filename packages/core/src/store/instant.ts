/** Parsing of dates and date-times. */

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d+))?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Converts an RFC 3339 date-time (with an offset) to milliseconds since 1970, with a fraction for higher precision. Returns
 * undefined for any other string, including dates without a time and leap seconds.
 */
export function instantOf(text: string): number | undefined {
  // Most strings are rejected here: checking the length and one character is cheaper than a regular expression.
  if (text.length < 20 || text.charCodeAt(4) !== 0x2d) return undefined
  if (text !== last.text) last = { text, instant: parsedInstant(text) }
  return last.instant
}

/** Most recent result, cached because all entities of one import have the same times. */
let last: { readonly text: string; readonly instant: number | undefined } = { text: '', instant: undefined }

function parsedInstant(text: string): number | undefined {
  const found = DATE_TIME.exec(text)
  if (!found) return undefined
  const [, date = '', fraction] = found
  if (!isDay(date)) return undefined
  const whole = Date.parse(fraction === undefined ? text : text.replace(`.${fraction}`, '').toUpperCase())
  if (Number.isNaN(whole)) return undefined
  return fraction === undefined ? whole : whole + Number(`0.${fraction}`) * 1000
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reports whether `text` is a valid calendar date, such as 1990-01-31. */
export function isDay(text: string): boolean {
  if (text.length !== 10 || !DAY.test(text)) return false
  // Rejects days that do not exist in the given month.
  return new Date(Date.parse(`${text}T00:00:00Z`)).getUTCDate() === Number(text.slice(8))
}
