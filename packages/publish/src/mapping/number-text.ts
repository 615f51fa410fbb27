/** Numbers as tables write them: with a decimal comma, digits in groups, a unit before or after. */

/** The form of a column's numbers. Defaults: a decimal point, no groups, as many decimals as there are, no unit. */
export interface NumberForm {
  readonly decimal?: '.' | ','
  /** Separator of groups of three digits. */
  readonly thousands?: string
  /** Minimum number of decimals: 2 if 1.5 is written 1.50. */
  readonly decimals?: number
  /** Text before the digits of every cell, such as `$`. */
  readonly prefix?: string
  /** Text after them, such as ` kg`. */
  readonly suffix?: string
}

/** Parses a number; undefined if the text is not written in this form. Spaces around it are ignored. */
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
  const value = Number(`${isNegative ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`)
  return Number.isFinite(value) ? value : undefined
}

/** Writes a number in a form: the original cell, if the form fits it. */
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
