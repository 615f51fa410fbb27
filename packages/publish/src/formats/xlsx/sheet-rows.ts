/** Streams the rows of a sheet as it is decompressed. */
import { SourceFault } from '../../bytes/source-fault.ts'
import type { MergedCells } from '../contract/format.ts'
import { GENERAL, numberText } from './number-format.ts'
import { isTrue, type SheetEntry, TextOfCell, unescaped, type Workbook } from './workbook.ts'
import { createXmlParser } from './xml.ts'

/** Stored type of a cell, which its text does not reveal: `4` may be a number or text. */
export type CellType = 'text' | 'number' | 'date' | 'boolean' | 'error' | 'uncomputed'

/** A nonempty cell. A formula has its last computed value, or the type `uncomputed` if it was never computed. */
export interface Cell {
  readonly text: string
  readonly type: CellType
}

/** A row with at least one cell. */
export interface SheetRow {
  /** Row number from 1, as the spreadsheet shows it. */
  readonly number: number
  /** Sparse array of cells by column index, from 0. */
  readonly cells: readonly (Cell | undefined)[]
  /** Set if the row before it is empty. A hidden row is not. */
  readonly isAfterGap: boolean
  /** Cells in hidden columns, if these are left out. */
  readonly aside: readonly (Cell | undefined)[]
}

/** Nonempty rows and columns that are left out because nobody sees them, filled in as rows are read. */
export class Unseen {
  readonly rows: number[] = []
  /** Names of the columns by their index, and the letters of a column without a name. */
  readonly columns = new Map<number, string>()
  readonly merged: MergedCells[] = []
}

/** Maximum size of a decompressed sheet, in bytes. */
const MAX_SHEET_BYTES = 4 * 1024 * 1024 * 1024
/** Maximum dimensions of a sheet in Excel. */
const MAX_COLUMNS = 16_384
const MAX_ROWS = 1_048_576
/** Maximum cell length in characters. It is generous: Excel allows 32,767, and other programs somewhat more. */
const MAX_CELL_LENGTH = 1024 * 1024

const UNCOMPUTED: Cell = { text: '', type: 'uncomputed' }

/** Yields the nonempty rows in order, without hidden ones if `unseen` collects these. @throws SourceFault if damaged */
export async function* sheetRows(
  book: Workbook,
  sheet: SheetEntry,
  unseen?: Unseen,
): AsyncGenerator<SheetRow> {
  const reader = new RowReader(book, unseen)
  const parser = createXmlParser(reader)
  try {
    for await (const text of book.parts.text(sheet.part, MAX_SHEET_BYTES)) {
      parser.write(text)
      yield* reader.take()
    }
    parser.end()
  } catch (cause) {
    if (cause instanceof SourceFault) throw cause
    const where = `${book.file}: the sheet ${JSON.stringify(sheet.name)} is damaged`
    throw new SourceFault(`${where}: ${(cause as Error).message}.`, { cause })
  }
}

/** XML parser handlers that assemble rows. */
class RowReader {
  readonly #book: Workbook
  readonly #rich = new TextOfCell()
  #ready: SheetRow[] = []
  #row = 0
  /** Last row up to which no row is empty since the last one that was read. */
  #reached = 0
  #cells: (Cell | undefined)[] = []
  #aside: (Cell | undefined)[] = []
  readonly #unseen: Unseen | undefined
  /** Hidden columns by index: 1 for each. */
  readonly #hiddenColumns = new Uint8Array(MAX_COLUMNS)
  #isHiddenRow = false
  #column = -1
  #type = 'n'
  #style = 0
  #value = ''
  #inValue = false
  #hasFormula = false

  constructor(book: Workbook, unseen: Unseen | undefined) {
    this.#book = book
    this.#unseen = unseen
  }

  take(): SheetRow[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#inValue = true
    else if (name === 'f') this.#hasFormula = true
    else if (name === 'mergeCell') this.#unseen?.merged.push(...mergedCells(attributes['ref']))
    else if (name === 'row') {
      this.#row = attributes['r'] === undefined ? this.#row + 1 : Number(attributes['r'])
      if (!(this.#row <= MAX_ROWS)) throw new Error(`it has more than ${MAX_ROWS} rows`)
      this.#cells = []
      this.#aside = []
      this.#column = -1
      this.#isHiddenRow = isHidden(attributes)
    } else if (name === 'col' && isHidden(attributes))
      this.#hiddenColumns.fill(1, Number(attributes['min']) - 1, Number(attributes['max']))
    else this.#rich.open(name)
  }

  text = (text: string): void => {
    if (this.#inValue) this.#value += text
    else this.#rich.add(text)
    if (this.#value.length > MAX_CELL_LENGTH)
      throw new Error(`a cell in row ${this.#row} is longer than ${MAX_CELL_LENGTH} characters`)
  }

  close = (name: string): void => {
    if (name === 'v') this.#inValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') {
      const isEmpty = this.#cells.length === 0
      const [number, cells, aside, unseen] = [this.#row, this.#cells, this.#aside, this.#unseen]
      const isAfterGap = number > this.#reached + 1
      const isShown = !isEmpty && !(unseen && this.#isHiddenRow)
      if (isShown || (this.#isHiddenRow && !isAfterGap)) this.#reached = number
      if (isShown) this.#ready.push({ number, cells, isAfterGap, aside })
      else if (unseen && this.#isHiddenRow && (!isEmpty || aside.length > 0)) unseen.rows.push(number)
    } else this.#rich.close(name)
  }

  #openCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r)
    if (!(this.#column < MAX_COLUMNS)) throw new Error(`it has more than ${MAX_COLUMNS} columns`)
    this.#type = t
    this.#style = Number(s)
    this.#value = ''
    this.#hasFormula = false
    this.#rich.clear()
  }

  #closeCell(): void {
    const found = this.#cell()
    // A formula that evaluates to empty text has the type `str`.
    const isUncomputed = found.text === '' && this.#hasFormula && this.#type === 'n'
    const cell = isUncomputed ? UNCOMPUTED : found
    if (cell.text === '' && !isUncomputed) return
    const at = this.#column
    if (this.#unseen && this.#hiddenColumns[at] === 1) {
      this.#aside[at] = cell
      if (!this.#unseen.columns.has(at)) this.#unseen.columns.set(at, letters(at))
    } else this.#cells[at] = cell
  }

  #cell(): Cell {
    const value = this.#value
    switch (this.#type) {
      case 's':
        return { text: this.#book.strings[Number(value)] ?? '', type: 'text' }
      case 'inlineStr':
        return { text: this.#rich.value, type: 'text' }
      case 'str':
        return { text: unescaped(value), type: 'text' }
      case 'b':
        return { text: value === '' ? '' : value === '1' ? 'true' : 'false', type: 'boolean' }
      case 'e':
        return { text: value, type: 'error' }
      // An ISO 8601 date, in which midnight denotes the whole day.
      case 'd':
        return { text: value.replace(/T00:00:00(?:\.0+)?Z?$/, ''), type: 'date' }
      default: {
        const format = this.#book.formats[this.#style] ?? GENERAL
        const text = numberText(value.trim(), format, this.#book.epoch1904)
        if (format.kind === 'number') return { text, type: 'number' }
        return { text, type: format.kind === 'padded' || format.kind === 'elapsed' ? 'text' : 'date' }
      }
    }
  }
}

/** Reports whether a row or column is hidden, by its author or a filter, or shown without any height or width. */
function isHidden({ hidden, ht, width }: Readonly<Record<string, string>>): boolean {
  return isTrue(hidden) || Number(ht ?? width ?? 1) === 0
}

/** Returns a cell's column index from 0, such as 27 for `AB12`. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Returns the cells of a range such as `B2:D2`, or an empty array if it is not in one row. */
function mergedCells(range = ''): MergedCells[] {
  const [, left = '', row, right = ''] = /^(\D+)(\d+):(\D+)\2$/.exec(range) ?? []
  return row === undefined ? [] : [[Number(row), columnOf(left), columnOf(right)]]
}

/** Returns the letters of a column index, such as `AB` for 27. */
export function letters(column: number): string {
  const rest = Math.floor(column / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (column % 26))
}
