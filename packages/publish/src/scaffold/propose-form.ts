/** Proposes the type and form of a column's cells so that every cell can be reproduced. */

import type { ListedColumn } from '../formats/table/columns.ts'
import { type CellForm, cellText, createCellReader } from '../mapping/cell-form.ts'
import type { CellKind } from '../mapping/cells.ts'
import { isDate } from '../mapping/date-text.ts'
import { isIdName, isListName } from './names.ts'
import { numberProposal, saidForm } from './number-form.ts'

/** Proposed type and form of a column. */
export interface ColumnProposal {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  /** Form of the cells, absent if they are plain. */
  readonly form?: CellForm
  /** `format` of the text in the schema. */
  readonly format?: 'date' | 'date-time'
  /** Reason why cells that resemble another type remain text. */
  readonly note?: string
}

const TEXT: ColumnProposal = { type: 'string' }

/** Hints about a column in addition to its cells. */
export interface ColumnHints {
  /** Set if another column of the table can only be read with decimal commas. */
  readonly isCommaTable: boolean
  /** Type of the cells as declared by the table. */
  readonly declared?: ListedColumn['type']
}

/** Proposes the type and form of nonempty cells. Placeholders are disregarded if all others are numbers or dates. */
export function proposeColumn(name: string, all: readonly string[], hints: ColumnHints): ColumnProposal {
  const cells = all.filter((cell) => !isGap(cell))
  const proposal = proposalOf(name, cells, hints)
  const isSaid = mayHaveGaps(proposal) || proposal.note !== undefined
  return cells.length === all.length || isSaid ? proposal : proposalOf(name, all, hints)
}

function proposalOf(name: string, cells: readonly string[], hints: ColumnHints): ColumnProposal {
  if (cells.length === 0) return TEXT
  const isText = hints.declared === 'text'
  if (!isIdName(name) && areCompactDates(cells))
    return { type: 'string', format: 'date', form: { date: COMPACT_DATE } }
  const number = isText ? undefined : numberProposal(name, cells, hints)
  if (number && 'note' in number) return { ...TEXT, note: number.note }
  if (number) {
    const form = saidForm(number.form, cells)
    return { type: number.isWhole ? 'integer' : 'number', ...(Object.keys(form).length > 0 && { form }) }
  }
  if (isText && !isListName(name)) return dates(cells) ?? TEXT
  return booleans(cells) ?? dates(cells) ?? lists(name, cells) ?? TEXT
}

/** Placeholders that people and programs write for a missing number or date. */
const GAP = /^(?:n\/?a|#n\/a|n\.a\.|null|none|nan|nil|-{1,2}|[–—]|\.{1,3}|…|\\n|k\.? ?a\.?)$/i

/** Reports whether a cell is such a placeholder. */
export function isGap(cell: string): boolean {
  return GAP.test(cell)
}

/** Reports whether placeholders among the cells of a column can only mean empty cells. */
export function mayHaveGaps({ type, format }: ColumnProposal): boolean {
  return type === 'number' || type === 'integer' || format !== undefined
}

/** Reports whether a cell matches a proposal and would be written back unchanged. */
export function fits(cell: string, { type, form = {} }: ColumnProposal): boolean {
  if (type === 'string' && form.date === undefined) return true
  const kind: CellKind = type === 'array' ? 'text' : type === 'string' ? 'text' : type
  const read = createCellReader(form)(cell, kind)
  return 'value' in read && cellText(read.value, form) === cell
}

/** Word pairs for true and false, used if a column contains both words of a pair and no others. */
const TRUTHS =
  'TRUE FALSE,True False,yes no,Yes No,YES NO,y n,Y N,t f,ja nein,Ja Nein,JA NEIN,J N,j n,wahr falsch,WAHR FALSCH,Wahr Falsch,oui non,Oui Non,OUI NON,VRAI FAUX,vrai faux,Vrai Faux,sí no,Sí No,si no,Si No,SI NO,sì no,Sì No,VERDADERO FALSO,VERO FALSO,sim não,Sim Não,WAAR ONWAAR,nee ja'.split(
    ',',
  )

function booleans(cells: readonly string[]): ColumnProposal | undefined {
  const words = new Set(cells)
  if (words.size > 2) return undefined
  if ([...words].every((word) => word === 'true' || word === 'false')) return { type: 'boolean' }
  const pair = TRUTHS.map((both) => both.split(' ')).find(
    (both) => words.size === 2 && both.every((word) => words.has(word)),
  )
  if (!pair) return undefined
  const [yes = '', no = ''] = pair[0] === 'nee' ? pair.toReversed() : pair
  return { type: 'boolean', form: { words: { [yes]: true, [no]: false } } }
}

const DAY_FIRST = ['dd.mm.yyyy', 'd.m.yyyy', 'dd/mm/yyyy', 'd/m/yyyy', 'dd-mm-yyyy', 'd-m-yyyy']
const MONTH_FIRST = ['mm/dd/yyyy', 'm/d/yyyy', 'mm-dd-yyyy', 'm-d-yyyy']
const YEAR_FIRST = ['yyyy/mm/dd', 'yyyy.mm.dd']
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Pattern of dates without a sign between day, month and year. */
export const COMPACT_DATE = 'yyyymmdd'

/** Minimum number of different compact dates. Fewer may be numbers of eight digits. */
const MANY_DATES = 5

function areCompactDates(cells: readonly string[]): boolean {
  const days = new Set(cells)
  return (
    days.size >= MANY_DATES &&
    [...days].every(
      (day) =>
        /^(?:1[5-9]|20)\d{6}$/.test(day) && fits(day, { type: 'string', form: { date: COMPACT_DATE } }),
    )
  )
}

function dates(cells: readonly string[]): ColumnProposal | undefined {
  if (cells.some((cell) => !/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(cell))) return undefined
  if (cells.every((cell) => cell.length === 10 && isDate(cell))) return { type: 'string', format: 'date' }
  if (cells.every((cell) => DATE_TIME.test(cell) && !Number.isNaN(Date.parse(cell))))
    return { type: 'string', format: 'date-time' }
  const isWritten = (date: string) => cells.every((cell) => fits(cell, { type: 'string', form: { date } }))
  const found = [...DAY_FIRST, ...MONTH_FIRST, ...YEAR_FIRST].filter(isWritten)
  const orders = new Set(found.map((date) => date.replaceAll('dd', 'd').replaceAll('mm', 'm')))
  const [date] = found
  if (date === undefined) {
    if (!cells.every((cell) => /^\S+[ T]\d\d?:\d\d/.test(cell))) return undefined
    return {
      ...TEXT,
      note: `times such as ${cells[0]} say no zone; say date: and zone: to make them RFC 3339`,
    }
  }
  if (orders.size === 1) return { type: 'string', format: 'date', form: { date } }
  return {
    ...TEXT,
    note: `${cells[0]} can be day or month first; say date: ${[...orders].join(' or date: ')}`,
  }
}

const SEPARATORS = [' | ', '|', '; ', ';', ', ', ',']

/** Maximum length of a list element in characters. Longer parts are sentences. */
const LONGEST_PART = 60

function lists(name: string, cells: readonly string[]): ColumnProposal | undefined {
  const separator = SEPARATORS.find((sign) => cells.some((cell) => cell.includes(sign)))
  if (separator === undefined) return undefined
  const parts = cells.map((cell) => cell.split(separator))
  const all = parts.flat()
  if (all.some((part) => part === '' || part.trim() !== part || part.length > LONGEST_PART)) return undefined
  const isRepeated = new Set(all).size < 0.8 * all.length
  const several = parts.filter(({ length }) => length > 1).length
  const isSure = separator.includes('|') ? several > 1 : separator.includes(';') && several > 1 && isRepeated
  return isSure || isListName(name) ? { type: 'array', form: { separator } } : undefined
}

/** Kinds of cells that a person can choose, with their titles. */
export const KINDS = {
  text: { title: 'Text', proposal: TEXT },
  integer: { title: 'Whole number', proposal: { type: 'integer' } },
  number: { title: 'Number', proposal: { type: 'number' } },
  comma: { title: 'Number, 1.234,5', proposal: { type: 'number', form: { decimal: ',', thousands: '.' } } },
  point: { title: 'Number, 1,234.5', proposal: { type: 'number', form: { thousands: ',' } } },
  boolean: { title: 'true or false', proposal: { type: 'boolean' } },
  date: { title: 'Date, 2024-12-31', proposal: { type: 'string', format: 'date' } },
  dots: { title: 'Date, 31.12.2024', proposal: dated('d.m.yyyy') },
  day: { title: 'Date, 31/12/2024', proposal: dated('d/m/yyyy') },
  month: { title: 'Date, 12/31/2024', proposal: dated('m/d/yyyy') },
  time: { title: 'Date and time, RFC 3339', proposal: { type: 'string', format: 'date-time' } },
  commas: { title: 'List, separated by commas', proposal: { type: 'array', form: { separator: ',' } } },
  semicolons: {
    title: 'List, separated by semicolons',
    proposal: { type: 'array', form: { separator: ';' } },
  },
} as const satisfies Record<string, { readonly title: string; readonly proposal: ColumnProposal }>

/** Name of a kind of cells. */
export type Kind = keyof typeof KINDS

function dated(date: string): ColumnProposal {
  return { type: 'string', format: 'date', form: { date } }
}
