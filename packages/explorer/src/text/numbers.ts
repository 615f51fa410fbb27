/** Formats numbers and times for display in a language. */
import type { ExactNumber } from '@worldwright/client/exact'

/** Numbers of magnitude `LARGE` or more, except exact integers, or less than `SMALL` are formatted with a power of ten. */
const LARGE = 1e15
const SMALL = 1e-4
/** Mark that prevents right-to-left text from reordering a product. `Intl` adds it to negative numbers itself. */
const LEFT_TO_RIGHT = '\u200e'

/**
 * Formats a number in a language. An integer within ±(2^53−1), or one written in digits that a double does not hold, has all
 * its digits; any other `ExactNumber` is its text. `grouped` is false for years and other numbers that are labels.
 */
export function numberText(value: number | ExactNumber, language: string, grouped = true): string {
  const text = String(value)
  const isExact = typeof value === 'object' || Number.isSafeInteger(value)
  if (isExact && /^(0|-?[1-9]\d*)$/.test(text)) return formatted(BigInt(text), language, grouped)
  if (typeof value === 'object' || !Number.isFinite(value)) return text
  const size = Math.abs(value)
  if (size !== 0 && (size >= LARGE || size < SMALL)) return scientific(value, language)
  return formatted(value, language, grouped)
}

function formatted(value: number | bigint, language: string, grouped: boolean): string {
  return formatter(language, grouped, typeof value)
    .format(value)
    .replace('-', '\u2212')
}

/** Formats an RFC 3339 date or time, in UTC. Returns undefined if `text` is neither. */
export function timeText(text: string, language: string): string | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const isDate = match[1] === undefined
  const time = new Date(isDate ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(time.getTime()) || !isDay(text.slice(0, 10))) return undefined
  const date = { year: 'numeric', month: 'long', day: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  return new Intl.DateTimeFormat(language, { ...date, ...(isDate ? {} : clock), timeZone: 'UTC' }).format(
    time,
  )
}

/**
 * Parses a date or time as milliseconds since 1970. Returns undefined if `text` is neither. The year may have a sign and six
 * digits, which is the ECMAScript form for years before 0 and after 9999.
 */
export function timeOf(text: string): number | undefined {
  if (!TIME.test(text.replace(/^[+-]\d{2}(?=\d{4}-)/, ''))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Reports whether a day exists. `Date` alone would accept 30 February as a day in March. */
function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

const TIME = /^\d{4}-\d{2}-\d{2}(T(?!24)\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const formatters = new Map<string, Intl.NumberFormat>()

function formatter(language: string, useGrouping: boolean, kind = 'number'): Intl.NumberFormat {
  const key = `${language} ${useGrouping} ${kind}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  // Doubles are exact to 15 significant digits. Further digits would show rounding errors.
  const most = kind === 'number' && { maximumSignificantDigits: 15 }
  const made = new Intl.NumberFormat(language, { ...most, useGrouping })
  formatters.set(key, made)
  return made
}

function scientific(value: number, language: string): string {
  const [digits = '0', power = '0'] = value.toExponential().split('e')
  const raised = [...String(Number(power))]
    .map((sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]))
    .join('')
  const front = formatter(language, true)
    .format(Number(Number(digits).toPrecision(15)))
    .replace('-', '\u2212')
  const mark = /^ar\b/.test(language) ? LEFT_TO_RIGHT : ''
  return front === '1' ? `${mark}10${raised}` : `${mark}${front} × 10${raised}`
}
