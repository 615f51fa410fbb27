/** Formats numbers, times and locations for display in a language. */

/** Doubles of magnitude `LARGE` or more, or less than `SMALL`, are formatted with a power of ten unless they are exact. */
const LARGE = 1e15
const SMALL = 1e-4
/** Mark that prevents right-to-left text from reordering a product. `Intl` adds it to negative numbers itself. */
const LEFT_TO_RIGHT = '\u200e'

/**
 * Formats a number in a language. An exact whole number has all its digits, and any other `ExactNumber` is its text.
 * `grouped` is false for years and other numbers that are labels.
 */
export function numberText(value: number, language: string, grouped = true): string {
  const size = Math.abs(value)
  const isExact = typeof value === 'object' || Number.isSafeInteger(value)
  if (isExact && size >= LARGE && /^-?\d+$/.test(String(value)))
    return BigInt(String(value)).toLocaleString(language, { useGrouping: grouped }).replace('-', '\u2212')
  if (!Number.isFinite(value)) return String(value)
  if (size !== 0 && (size >= LARGE || size < SMALL)) return scientific(value, language)
  return formatter(language, grouped).format(value).replace('-', '\u2212')
}

/** Formats an RFC 3339 date or time, in UTC. Returns undefined if `text` is neither, or is before year 1. */
export function timeText(text: string, language: string): string | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const isDate = match[1] === undefined
  const time = new Date(isDate ? `${text}T00:00:00Z` : text)
  // `Intl` counts back from year 1 without naming the era.
  if (!(time.getUTCFullYear() >= 1) || !isDay(text.slice(0, 10))) return undefined
  const date = { year: 'numeric', month: 'long', day: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  const key = `${language} ${isDate}`
  const format =
    clocks.get(key) ??
    new Intl.DateTimeFormat(language, { ...date, ...(isDate ? {} : clock), timeZone: 'UTC' })
  clocks.set(key, format)
  return format.format(time)
}

/** Formats a location to a thousandth of a degree, such as `23.02° S, 67.76° W`. `words` are the signs of the directions. */
export function placeText(
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  language: string,
  words: { readonly north: string; readonly south: string; readonly east: string; readonly west: string },
): string {
  const degrees = (value: number) => `${numberText(Math.abs(Math.round(value * 1000) / 1000), language)}°`
  return `${degrees(latitude)} ${latitude < 0 ? words.south : words.north}, ${degrees(longitude)} ${longitude < 0 ? words.west : words.east}`
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

/** Formatters by language and form, kept since making one takes longer than a hundred uses. */
const formatters = new Map<string, Intl.NumberFormat>()
const clocks = new Map<string, Intl.DateTimeFormat>()

function formatter(language: string, useGrouping: boolean): Intl.NumberFormat {
  const key = `${language} ${useGrouping}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  // Numbers are exact to 15 significant digits. Further digits would show rounding errors.
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
