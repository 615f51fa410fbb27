/** What numbers of a sheet stand for, as their formats say: numbers, dates, times, or codes with leading zeros. */
import { dateText, timeText } from './dates.ts'

/** The kind of what a format shows. `padded`: digits and signs under a mask such as `00000`. */
export type FormatKind = 'number' | 'date' | 'time' | 'date-time' | 'elapsed' | 'padded'

/** What a cell says of how its number is shown. */
export interface NumberFormat {
  readonly kind: FormatKind
  /** Of `padded`: the mask, one item for each digit (`0`) or sign. */
  readonly mask?: readonly string[]
}

/** A number without a format. */
export const GENERAL: NumberFormat = { kind: 'number' }

const DATES = [14, 15, 16, 17, ...range(27, 31), 34, 35, 36, ...range(50, 58)]
const TIMES = [18, 19, 20, 21, 32, 33, 45]

/** The format with a number below 164, which files name without writing it. */
export function builtinFormat(id: number): NumberFormat {
  if (DATES.includes(id)) return { kind: 'date' }
  if (TIMES.includes(id)) return { kind: 'time' }
  if (id === 22) return { kind: 'date-time' }
  if (id === 46 || id === 47) return { kind: id === 46 ? 'elapsed' : 'time' }
  return GENERAL
}

/** Quoted text, escaped characters, spaces as wide as a character, fillers, and blocks that are no elapsed time. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/** What a format's code says. */
export function formatFromCode(code: string): NumberFormat {
  const [section = ''] = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const signs = section
    .replace(LITERALS, '')
    .replace(/AM\/PM|A\/P/gi, 'h')
    .toLowerCase()
  if (/\[(?:h+|m+|s+)\]/.test(signs)) return { kind: 'elapsed' }
  // `General` holds an e, as the year of an era and an exponent do.
  if (/general|e[+-]/.test(signs)) return GENERAL
  const hasTime = /[hs]/.test(signs)
  const hasDate = /[ydbe]|mmm/.test(signs) || (/m/.test(signs) && !hasTime)
  if (hasDate || hasTime) return { kind: hasDate && hasTime ? 'date-time' : hasDate ? 'date' : 'time' }
  const mask = maskOf(section)
  return mask ? { kind: 'padded', mask } : GENERAL
}

/** The mask of a format that shows a whole number with at least two digits and nothing that reckons. */
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
 * The text of a number as a sheet holds it: whole numbers digit by digit, others with the 15 digits that a spreadsheet
 * shows, dates and times as RFC 3339 writes them, as far as the cell goes. A number that is no date under a date's
 * format stays a number.
 */
export function numberText(raw: string, { kind, mask }: NumberFormat, epoch1904: boolean): string {
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
    case 'number':
      return plainNumber(raw, value)
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
      // The first place takes the digits for which there is none.
      const from = at === 0 ? 0 : at + extra
      at += 1
      return digits.slice(from, at + extra)
    })
    .join('')
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
