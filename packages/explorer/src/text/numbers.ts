/** Formats numbers and times for people, in the language of the page. */

/** Bounds beyond which a number is written with a power of ten. */
const LARGE = 1e15
const SMALL = 1e-4
/** Mark before a product, so that right-to-left text does not reorder it; Intl adds it to negative numbers itself. */
const LEFT_TO_RIGHT = '\u200e'

/** Formats a number in digits of the language. `grouped` is false for years and other numbers that are labels. */
export function numberText(value: number, language: string, grouped = true): string {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return String(value)
  if (size !== 0 && (size >= LARGE || size < SMALL)) return scientific(value, language)
  return formatter(language, grouped).format(value).replace('-', '\u2212')
}

/** Formats a date or time of RFC 3339; undefined if the text is none. Dates stay dates: no time zone moves them. */
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
 * Parses a date or time to milliseconds since 1970; undefined if the text is none. Years may have a sign and six digits, as
 * ECMAScript writes those before 0 and after 9999.
 */
export function timeOf(text: string): number | undefined {
  if (!TIME.test(text.replace(/^[+-]\d{2}(?=\d{4}-)/, ''))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Reports whether the calendar has this day: `Date` takes the 30th of February for one in March. */
function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

const TIME = /^\d{4}-\d{2}-\d{2}(T(?!24)\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const formatters = new Map<string, Intl.NumberFormat>()

function formatter(language: string, useGrouping: boolean): Intl.NumberFormat {
  const key = `${language} ${useGrouping}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  // A double is exact to 15 digits; more would show the noise of its binary form.
  const made = new Intl.NumberFormat(language, { maximumSignificantDigits: 15, useGrouping })
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
