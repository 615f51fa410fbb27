/** Cells that are written for people: how a definition says so, and what they become. */
import type { JsonValue } from '@worldwright/client/protocol'
import { type CellKind, cellValue } from './cells.ts'
import { dateFormFault, dateFromText, textFromDate } from './date-text.ts'
import { type NumberForm, numberFromText, textFromNumber } from './number-text.ts'

/** How the cells of a column are written, and what they become; by default what the type's schema says. */
export interface CellForm extends NumberForm {
  readonly as?: CellKind
  /** The cell is a list, separated by this; what else is said holds for its elements. */
  readonly separator?: string
  /** The order of a date, such as `dd.mm.yyyy`; it becomes a date of RFC 3339. */
  readonly date?: string
  /** The offset of times that say none, such as `Z` or `+01:00`. */
  readonly zone?: string
  /** What stands for true, and what for false. */
  readonly words?: Readonly<Record<string, boolean>>
}

const NUMBER_MEMBERS = ['decimal', 'thousands', 'decimals', 'prefix', 'suffix'] as const

/** The value of a cell, or what is wrong with it. `kind`: what the schema asks for. */
export type CellReader = (
  text: string,
  kind: CellKind,
) => { readonly value: JsonValue } | { readonly fault: string }

/** What is wrong with a form: a pattern that cannot be read, or members that exclude each other. */
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

/** How the cells of a form are read. */
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

/** The text that a value had in its cell, where the form fits it: what tells whether it does. */
export function cellText(value: JsonValue, form: CellForm): string {
  if (Array.isArray(value)) return value.map((one) => cellText(one, form)).join(form.separator ?? '')
  if (typeof value === 'number') return textFromNumber(value, form)
  if (form.date !== undefined && typeof value === 'string') return textFromDate(value, form.date)
  if (form.words && typeof value === 'boolean')
    return Object.entries(form.words).find(([, meaning]) => meaning === value)?.[0] ?? String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A reader of one value. */
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
    if (value !== undefined && kind === 'integer' && !Number.isSafeInteger(value))
      return { fault: `${JSON.stringify(text)} is no whole number that can be held exactly` }
    return found(value, text, `is no number written as ${example} is`)
  }
}

function found(value: JsonValue | undefined, text: string, wrong: string) {
  return value === undefined ? { fault: `${JSON.stringify(text)} ${wrong}` } : { value }
}
