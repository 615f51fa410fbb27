/** Numbers as written in tables, with a decimal comma, digit groups, or a unit before or after. */
import { holdsValue } from '@worldwright/client/exact'

/** Form of a column's numbers. Defaults to a decimal point, no groups, as many decimals as needed, and no unit. */
export interface NumberForm {
  readonly decimal?: '.' | ','
  /** Separator between groups of three digits. */
  readonly thousands?: string
  /** Minimum number of decimals, such as 2 if 1.5 is written 1.50. */
  readonly decimals?: number
  /** Text before the digits of every cell, such as `$`. */
  readonly prefix?: string
  /** Text after the digits of every cell, such as ` kg`. */
  readonly suffix?: string
}

const CURRENCIES =
  '[$€£¥₹₽₩₺]|R\\$|CHF|EUR|USD|GBP|JPY|CNY|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|kr|zł|Kč|Ft'
const PREFIX = new RegExp(`^-?((?:${CURRENCIES})\\s?)`)
const SUFFIX = new RegExp(
  `\\d(\\s?(?:${CURRENCIES}|%|‰|°|°C|°F|mm|cm|dm|m|km|mi|ft|in|m²|km²|ha|mg|g|kg|t|lb|lbs|oz|ml|cl|l|L|m³|kWh|MWh|GWh|W|kW|MW|V|A|Hz|kHz|MHz|GHz|KB|MB|GB|TB|ms|s|min|h|px|dpi|kcal|kJ|km/h|mph))$`,
)

/** Returns the currency or unit before and after the digits of a cell, with a space between it and the digits. */
export function affixesIn(cell: string): Pick<NumberForm, 'prefix' | 'suffix'> {
  const prefix = PREFIX.exec(cell)?.[1]
  const suffix = SUFFIX.exec(cell)?.[1]
  return { ...(prefix !== undefined && { prefix }), ...(suffix !== undefined && { suffix }) }
}

/** Parses a number: undefined if the text has another form, NaN if it has too many digits. Ignores surrounding spaces. */
export function numberFromText(text: string, form: NumberForm): number | undefined {
  const { decimal = '.', thousands, prefix = '', suffix = '' } = form
  let rest = text.trim()
  const isNegative = rest.startsWith('-')
  if (isNegative) rest = rest.slice(1)
  if (!rest.startsWith(prefix.trimStart()) || !rest.endsWith(suffix.trimEnd())) return undefined
  rest = rest.slice(prefix.trimStart().length, rest.length - suffix.trimEnd().length).trim()
  const [whole = '', fraction, more] = rest.split(decimal)
  if (more !== undefined || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const digits = thousands === undefined ? whole : ungrouped(whole, thousands)
  if (digits === undefined || !/^\d+$/.test(digits)) return undefined
  const plain = `${isNegative ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`
  return holdsValue(Number(plain), plain) ? Number(plain) : Number.NaN
}

/** Writes a number in a form. If the form fits the original cell, returns its exact text. */
export function textFromNumber(value: number, form: NumberForm): string {
  const { decimal = '.', thousands, decimals = 0, prefix = '', suffix = '' } = form
  const [whole = '', fraction = ''] = String(Math.abs(value)).split('.')
  const digits = thousands === undefined ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, thousands)
  const padded = fraction.padEnd(decimals, '0')
  return `${value < 0 ? '-' : ''}${prefix}${digits}${padded === '' ? '' : decimal + padded}${suffix}`
}

function ungrouped(whole: string, thousands: string): string | undefined {
  const [first = '', ...groups] = whole.split(thousands)
  if (groups.length > 0 && (first.length > 3 || groups.some((group) => group.length !== 3))) return undefined
  return first + groups.join('')
}
