/** Converts between values and the table cells that people write for them in a declared form. */
import type { JsonValue } from '@worldwright/client/protocol'
import { type CellKind, cellValue } from './cells.ts'
import { dateFormFault, dateFromText, textFromDate } from './date-text.ts'
import { type NumberForm, numberFromText, textFromNumber } from './number-text.ts'

/** Form of a column's cells. `as` is the kind of their values, by default the kind required by the type's schema. */
export interface CellForm extends NumberForm {
  readonly as?: CellKind
  /** Separator if the cell is a list, in which case the other members apply to its elements. */
  readonly separator?: string
  /** Date pattern, such as `dd.mm.yyyy`. The value is an RFC 3339 date. */
  readonly date?: string
  /** UTC offset of times that do not state one, such as `Z` or `+01:00`. */
  readonly zone?: string
  /** Words for true and for false. */
  readonly words?: Readonly<Record<string, boolean>>
  /** Texts that mean an empty cell, instead of those of the source. */
  readonly missing?: readonly string[]
}

const NUMBER_MEMBERS = ['decimal', 'thousands', 'decimals', 'prefix', 'suffix'] as const

/** Function that returns the value of a cell, or a fault. `kind` is the kind required by the schema. */
export type CellReader = (
  text: string,
  kind: CellKind,
) => { readonly value: JsonValue } | { readonly fault: string }

/** Returns the fault in a form with an invalid pattern or mutually exclusive members, or undefined if it is valid. */
export function cellFormFault(
  form: CellForm,
): { readonly member: string; readonly message: string } | undefined {
  const isNumber = NUMBER_MEMBERS.some((member) => form[member] !== undefined)
  const kinds = [form.date !== undefined && 'date', form.words && 'words', isNumber && 'decimal'].filter(
    Boolean,
  )
  if (kinds.length > 1) {
    const message =
      'a cell is a date, one of several words or a number: keep one of date, words and those of numbers'
    return { member: String(kinds[0]), message }
  }
  if (form.date !== undefined) {
    const message = dateFormFault(form.date, form.zone)
    return message === undefined ? undefined : { member: 'date', message }
  }
  if (form.thousands !== undefined && form.thousands === (form.decimal ?? '.'))
    return { member: 'thousands', message: 'is the decimal sign as well' }
  return undefined
}

/** Creates a reader of cells in a form. */
export function createCellReader(form: CellForm): CellReader {
  const { separator, as } = form
  const one = singleReader(form)
  if (separator === undefined) return (text, kind) => one(text, as ?? kind)
  return (text, kind) => {
    const values: JsonValue[] = []
    for (const part of text.split(separator)) {
      if (part.trim() === '') continue
      const read = one(part.trim(), as ?? kind)
      if ('fault' in read) return read
      values.push(read.value)
    }
    return { value: values }
  }
}

/** Writes a value as the text of a cell. If the form fits the original cell, returns its exact text. */
export function cellText(value: JsonValue, form: CellForm): string {
  if (Array.isArray(value)) return value.map((one) => cellText(one, form)).join(form.separator ?? '')
  if (typeof value === 'number') return textFromNumber(value, form)
  if (form.date !== undefined && typeof value === 'string') return textFromDate(value, form.date)
  if (form.words && typeof value === 'boolean')
    return Object.entries(form.words).find(([, meaning]) => meaning === value)?.[0] ?? String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function singleReader(form: CellForm): CellReader {
  const { date, zone, words } = form
  if (date !== undefined)
    return (text) => found(dateFromText(text, date, zone), text, `is no date written ${date}`)
  if (words) {
    const meanings = new Map(Object.entries(words))
    const known = [...meanings.keys()].join(', ')
    return (text) => found(meanings.get(text.trim()), text, `is none of ${known}`)
  }
  if (NUMBER_MEMBERS.every((member) => form[member] === undefined)) return cellValue
  const example = textFromNumber(1234.5, form)
  return (text, kind) => {
    const value = numberFromText(text, form)
    const isWhole = kind === 'integer'
    if (value !== undefined && (isWhole ? !Number.isSafeInteger(value) : Number.isNaN(value)))
      return {
        fault: `${JSON.stringify(text)} is no ${isWhole ? 'whole ' : ''}number that can be held exactly`,
      }
    return found(value, text, `is no number written as ${example} is`)
  }
}

function found(value: JsonValue | undefined, text: string, wrong: string) {
  return value === undefined ? { fault: `${JSON.stringify(text)} ${wrong}` } : { value }
}
