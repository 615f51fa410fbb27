/** Number formats in a sheet, which display a number as a number, date, time, or code with leading zeros. */
import { affixesIn } from '../../mapping/number-text.ts'
import { dateText, timeText } from './dates.ts'

/** Kind of value that a format displays. `padded` means digits and literals under a mask such as `00000`. */
export type FormatKind = 'number' | 'date' | 'time' | 'date-time' | 'elapsed' | 'padded'

/** The number format of a cell. */
export interface NumberFormat {
  readonly kind: FormatKind
  /** Mask of a `padded` format, with one item per digit (`0`) or literal character. */
  readonly mask?: readonly string[]
  /** Currency or unit before and after the digits of a `number` format. */
  readonly prefix?: string
  readonly suffix?: string
  /** Set if the format displays the number times 100. */
  readonly isPercent?: boolean
}

/** Default format of a number. */
export const GENERAL: NumberFormat = { kind: 'number' }

const DATES = [14, 15, 16, 17, ...range(27, 31), 34, 35, 36, ...range(50, 58)]
const TIMES = [18, 19, 20, 21, 32, 33, 45]

/** Returns the built-in format with this id. Files use ids below 164 without defining them. */
export function builtinFormat(id: number): NumberFormat {
  if (DATES.includes(id)) return { kind: 'date' }
  if (TIMES.includes(id)) return { kind: 'time' }
  if (id === 22) return { kind: 'date-time' }
  if (id === 9 || id === 10) return { kind: 'number', isPercent: true, suffix: '%' }
  if (id === 46 || id === 47) return { kind: id === 46 ? 'elapsed' : 'time' }
  return GENERAL
}

/** Literal parts of a format code: quoted or escaped text, padding, fillers, and brackets that do not mean elapsed time. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/** Parses the code of a number format. */
export function formatFromCode(code: string): NumberFormat {
  const [section = ''] = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const signs = section
    .replace(LITERALS, '')
    .replace(/AM\/PM|A\/P/gi, 'h')
    .toLowerCase()
  if (/\[(?:h+|m+|s+)\]/.test(signs)) return { kind: 'elapsed' }
  // `General` and exponents contain an e, which otherwise denotes the era year.
  if (/general|e[+-]/.test(signs)) return GENERAL
  const hasTime = /[hs]/.test(signs)
  const hasDate = /[ydbe]|mmm/.test(signs) || (/m/.test(signs) && !hasTime)
  if (hasDate || hasTime) return { kind: hasDate && hasTime ? 'date-time' : hasDate ? 'date' : 'time' }
  const mask = maskOf(section)
  return mask ? { kind: 'padded', mask } : { kind: 'number', ...unitOf(section) }
}

/** Literal part of a format code, with its text in one of four groups. */
const LITERAL = /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(?!\$)[^\]]*\]|([^"\\_*[\]0#?.,])/gsu
/** Digits of a format between two sequences of literals. Commas after the last digit would scale the number. */
const NUMBER = new RegExp(`^((?:${LITERAL.source})*)[0#?.,]*[0#?.]((?:${LITERAL.source})*)$`, 'su')

/** Returns the currency, unit or percent sign that a format displays, unless it also scales the number by its commas. */
function unitOf(section: string): Omit<NumberFormat, 'kind'> {
  const found = NUMBER.exec(section)
  if (!found) return {}
  const shown = (part = '') => part.replace(LITERAL, '$1$2$3$4').replace(/\s+/g, ' ')
  const [before, after] = [shown(found[1]).trimStart(), shown(found[6]).trimEnd()]
  if (/%/.test(section.replace(LITERALS, '')))
    return { isPercent: true, suffix: /^\s?%/.exec(after)?.[0] ?? '%' }
  return affixesIn(`${before}0${after}`)
}

/** Returns the mask of a format that only pads an integer to two or more digits, or undefined for any other format. */
function maskOf(section: string): string[] | undefined {
  const plain = section.replace(/\[[^\]]*\]/g, '')
  const mask = [...plain.matchAll(/"([^"]*)"|\\(.)|(.)/gs)].flatMap(([, quoted, escaped, sign = '']) => {
    if (quoted !== undefined) return [...quoted].map((one) => `"${one}`)
    return [escaped === undefined ? sign : `"${escaped}`]
  })
  const zeros = mask.filter((sign) => sign === '0').length
  const others = mask.filter((sign) => sign !== '0' && !/^(?:".|[ ()/-])$/su.test(sign))
  return zeros >= 2 && others.length === 0 ? mask : undefined
}

/**
 * Converts a number in a sheet to text. Integers keep all digits, other numbers the 15 significant digits displayed by a
 * spreadsheet, each with the currency or unit that its format displays. Dates and times become RFC 3339 text with only the
 * displayed parts. A number that is not a valid date stays a number even if it has a date format.
 */
export function numberText(raw: string, format: NumberFormat, epoch1904: boolean): string {
  const { kind, mask, prefix = '', suffix = '', isPercent } = format
  const value = Number(raw)
  if (raw === '' || !Number.isFinite(value)) return raw
  switch (kind) {
    case 'date':
    case 'time':
    case 'date-time':
      return dateText(value, kind, epoch1904) ?? plainNumber(raw, value)
    case 'elapsed':
      return value < 0 ? plainNumber(raw, value) : timeText(value)
    case 'padded':
      return (mask && paddedText(value, mask)) ?? plainNumber(raw, value)
    case 'number': {
      const digits = isPercent ? plainNumber('', value * 100) : plainNumber(raw, value)
      return digits.replace(/^-?/, (sign) => sign + prefix) + suffix
    }
  }
}

function plainNumber(raw: string, value: number): string {
  if (/^-?(?:0|[1-9]\d*)$/.test(raw)) return raw
  return String(Number(value.toPrecision(15)))
}

function paddedText(value: number, mask: readonly string[]): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined
  const zeros = mask.filter((sign) => sign === '0').length
  const digits = String(value).padStart(zeros, '0')
  const extra = digits.length - zeros
  let at = 0
  return mask
    .map((sign) => {
      if (sign !== '0') return sign.startsWith('"') ? sign.slice(1) : sign
      // The first digit placeholder also takes the surplus digits.
      const from = at === 0 ? 0 : at + extra
      at += 1
      return digits.slice(from, at + extra)
    })
    .join('')
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
