/** Conversion of dates between the patterns of tables and RFC 3339. */

/** Tokens of a date pattern: `dd` matches two digits, `d` as many as needed, and so on. Other text is literal. */
const TOKEN = /yyyy|dd?|mm?|HH|MM|SS/g

const DIGITS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  mm: '(?<month>\\d{2})',
  m: '(?<month>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  MM: '(?<minute>\\d{2})',
  SS: '(?<second>\\d{2})',
}

/** Returns the fault in a pattern. A valid one has day, month and year once each, and hours only with minutes and a zone. */
export function dateFormFault(pattern: string, zone: string | undefined): string | undefined {
  const tokens = pattern.match(TOKEN) ?? []
  const has = (one: string) => tokens.filter((token) => token === one).length
  const days = has('dd') + has('d')
  const months = has('mm') + has('m')
  if (days !== 1 || months !== 1 || has('yyyy') !== 1)
    return 'a date has yyyy, mm or m, and dd or d, once each, such as dd.mm.yyyy'
  const [hours, minutes, seconds] = [has('HH'), has('MM'), has('SS')]
  if (hours > 1 || minutes !== hours || seconds > hours) return 'a time is HH:MM or HH:MM:SS'
  if (hours === 1 && zone === undefined) return 'a time needs a zone: say zone: Z, or zone: "+01:00"'
  return undefined
}

const PATTERNS = new Map<string, RegExp>()

/** Converts `text` to an RFC 3339 date or date-time, or returns undefined if it does not match `pattern`. */
export function dateFromText(text: string, pattern: string, zone = ''): string | undefined {
  const found = expressionOf(pattern).exec(text.trim())?.groups
  if (!found) return undefined
  const { year = '', month = '', day = '', hour, minute, second = '00' } = found
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDate(date)) return undefined
  if (hour === undefined) return date
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return `${date}T${hour}:${minute}:${second}${zone}`
}

/** Writes an RFC 3339 date in a pattern. If the pattern fits the original cell, returns its exact text. */
export function textFromDate(date: string, pattern: string): string {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?/.exec(date) ?? []
  const parts: Readonly<Record<string, string>> = {
    yyyy: year,
    mm: month,
    m: String(Number(month)),
    dd: day,
    d: String(Number(day)),
    HH: hour,
    MM: minute,
    SS: second,
  }
  return pattern.replace(TOKEN, (token) => parts[token] ?? '')
}

/** Reports whether text such as 2024-02-29 denotes a day that exists. */
export function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function expressionOf(pattern: string): RegExp {
  const known = PATTERNS.get(pattern)
  if (known) return known
  const parts = pattern.split(new RegExp(`(${TOKEN.source})`))
  const source = parts.map((part) => DIGITS[part] ?? part.replace(/\W/g, '\\$&')).join('')
  const expression = new RegExp(`^${source}$`)
  PATTERNS.set(pattern, expression)
  return expression
}
