/** Detects the form in which the numbers of a column are written. */
import type { CellForm } from '../mapping/cell-form.ts'
import { affixesIn, type NumberForm, numberFromText, textFromNumber } from '../mapping/number-text.ts'
import { isQuantityName, isTradeName } from './names.ts'

/** A form that fits every cell, or a note on why there is none although the cells look like numbers. */
export type NumberProposal =
  | { readonly form: NumberForm; readonly isWhole: boolean }
  | { readonly note: string }

/** Maximum number of digits of an integer that every double preserves. Longer integers are treated as codes. */
const SAFE_DIGITS = 15

/** Maximum number of digits of a fraction that can be written back. */
const FRACTION_DIGITS = 17

const GROUP_SIGNS = [' ', '\u00a0', '\u202f', "'", '\u2019']
/**
 * Proposes the number form of nonempty cells. Returns undefined if they are not numbers or would not round-trip.
 * `isCommaTable` is set if another column must have a decimal comma; `declared` is the type declared by the table.
 */
export function numberProposal(
  name: string,
  cells: readonly string[],
  { isCommaTable, declared }: { readonly isCommaTable: boolean; readonly declared?: string | undefined },
): NumberProposal | undefined {
  if (cells.some((cell) => !/\d/.test(cell) || cell.length > 40)) return undefined
  if (isTradeName(name) && cells.every((cell) => /^\d{8,14}$/.test(cell)))
    return { note: 'its digits are a code, not an amount' }
  const affixes = affixesOf(cells)
  if (affixes === undefined) return undefined
  const fitting = styles().flatMap((style) => {
    const form = fitted(cells, { ...style, ...affixes })
    return form ? [form] : []
  })
  const [first, ...others] = distinctMeanings(fitting, cells, isCommaTable)
  if (first === undefined) return severalUnits(cells)
  if (others.length > 0) return { note: ambiguity(first, cells) }
  const values = cells.map((cell) => numberFromText(cell, first) ?? Number.NaN)
  const isDeclared = declared === 'number' || declared === 'integer'
  if (!isDeclared && first.decimal !== ',' && losesMeaning(name, cells, first, values))
    return {
      note: `cells such as ${cells.find((cell) => cell.endsWith('0'))} end in zeros that a number loses; if they are numbers, say decimals: ${first.decimals}`,
    }
  return { form: first, isWhole: values.every(Number.isInteger) }
}

/** Reports whether the cells can only be numbers with decimal commas. */
export function hasDecimalComma(cells: readonly string[]): boolean {
  return (
    cells.length > 0 &&
    cells.every((cell) => /^-?[\d. ]+(?:,\d+)?\D{0,4}$/.test(cell)) &&
    cells.some((cell) => /,(?:\d{1,2}|\d{4,})\D{0,4}$/.test(cell))
  )
}

function styles(): NumberForm[] {
  const grouped = (decimal: '.' | ',', thousands: string): NumberForm => ({ decimal, thousands })
  return [
    { decimal: '.' },
    { decimal: ',' },
    grouped('.', ','),
    grouped(',', '.'),
    ...GROUP_SIGNS.flatMap((sign) => [grouped('.', sign), grouped(',', sign)]),
  ]
}

/** Returns the currency or unit before and after the digits, or undefined if other text precedes the digits. */
function affixesOf(cells: readonly string[]): Pick<NumberForm, 'prefix' | 'suffix'> | undefined {
  const [first = ''] = cells
  const affixes = affixesIn(first)
  return Object.keys(affixes).length === 0 && !/^-?[\d.,]/.test(first) ? undefined : affixes
}

/** Returns a note if the cells are numbers of different units, as if only some cells of a sheet are formatted. */
function severalUnits(cells: readonly string[]): NumberProposal | undefined {
  const units = new Set<string>()
  for (const cell of cells) {
    const { prefix = '', suffix = '' } = affixesIn(cell)
    if (!/^-?\d[\d.,]*$/.test(cell.replace(prefix, '').slice(0, -suffix.length || undefined)))
      return undefined
    units.add((suffix || prefix).trim() || 'none')
  }
  return units.size < 2 ? undefined : { note: `its numbers have several units: ${[...units].join(', ')}` }
}

/** Returns `style` with the fewest decimals in any cell, or undefined if a cell does not fit or no cell has its groups. */
function fitted(cells: readonly string[], style: NumberForm): NumberForm | undefined {
  const { decimal = '.', thousands, prefix = '', suffix = '' } = style
  let least = Number.POSITIVE_INFINITY
  let isGrouped = false
  for (const cell of cells) {
    const bare = cell.slice(0, cell.length - suffix.length)
    const at = bare.lastIndexOf(decimal)
    least = Math.min(least, at < 0 ? 0 : bare.length - at - 1)
    isGrouped ||= thousands !== undefined && bare.slice(prefix.length).includes(thousands)
  }
  if (thousands !== undefined && !isGrouped) return undefined
  const form: NumberForm = { ...style, decimals: least }
  return cells.every((cell) => isWrittenSo(cell, form)) ? form : undefined
}

function isWrittenSo(cell: string, form: NumberForm): boolean {
  const digits = cell.replace(/\D/g, '').replace(/^0+/, '').length
  if (digits > (cell.includes(form.decimal ?? '.') ? FRACTION_DIGITS : SAFE_DIGITS)) return false
  const value = numberFromText(cell, form)
  return value !== undefined && !Object.is(value, -0) && textFromNumber(value, form) === cell
}

/** Returns one form per distinct interpretation of the cells. */
function distinctMeanings(
  forms: readonly NumberForm[],
  cells: readonly string[],
  isCommaTable: boolean,
): NumberForm[] {
  const meant = forms.filter((form) => isLikely(form, cells, isCommaTable))
  const seen = new Set<string>()
  return meant.filter((form) => {
    const meaning = cells.map((cell) => numberFromText(cell, form)).join()
    return seen.size < seen.add(meaning).size
  })
}

/** Reports whether the points or commas in the cells are likely to have the meaning that the form gives them. */
function isLikely(
  { decimal = '.', thousands }: NumberForm,
  cells: readonly string[],
  isCommaTable: boolean,
): boolean {
  const sign = thousands ?? decimal
  if (sign !== '.' && sign !== ',') return true
  const signed = cells.filter((cell) => cell.includes(sign))
  if (signed.length === 0) return true
  const looksGrouped = signed.every((cell) =>
    new RegExp(`^\\D*[1-9]\\d{0,2}(?:\\${sign}\\d{3})+\\D*$`).test(cell),
  )
  if (!looksGrouped) return true
  const groups = signed.some((cell) => cell.split(sign).length > 2)
  // Three or more cells with three digits after the separator, beside cells without it, imply groups, not decimals.
  const isCertain = groups || (signed.length >= 3 && signed.length < cells.length)
  if (thousands !== undefined) return sign === ',' ? !isCommaTable : isCommaTable || groups
  return sign === ',' ? isCommaTable || !isCertain : !(isCommaTable && isCertain)
}

function ambiguity(form: NumberForm, cells: readonly string[]): string {
  const cell = cells.find((one) => /[.,]\d{3}\D*$/.test(one)) ?? cells[0]
  const sign = form.decimal ?? '.'
  return `${cell} has three digits after its sign, which can be decimals or thousands; say decimal: "${sign}" or thousands: "${sign}"`
}

/** Reports whether trailing zeros may be significant, as in versions, unless the name or cells indicate measures. */
function losesMeaning(
  name: string,
  cells: readonly string[],
  form: NumberForm,
  values: readonly number[],
): boolean {
  if (
    (form.decimals ?? 0) === 0 ||
    form.thousands !== undefined ||
    form.prefix !== undefined ||
    form.suffix !== undefined
  )
    return false
  if (cells.every((cell, at) => cell === String(values[at]))) return false
  return !(
    isQuantityName(name) ||
    values.some((value) => value < 0) ||
    cells.some((cell) => /\.\d{4,}$/.test(cell))
  )
}

/** Returns the form as written in a definition, without members that plain numbers do not need. */
export function saidForm(form: NumberForm, cells: readonly string[]): CellForm {
  const { decimal, decimals, ...rest } = form
  const hasSign = cells.some((cell) => cell.includes(decimal ?? '.'))
  const padded = cells.some(
    (cell) =>
      numberFromText(cell, form) !== undefined &&
      textFromNumber(numberFromText(cell, form) ?? 0, { ...form, decimals: 0 }) !== cell,
  )
  return {
    ...(decimal === ',' && (hasSign || form.thousands === '.') && { decimal }),
    ...rest,
    ...(padded && decimals !== undefined && { decimals }),
  }
}
