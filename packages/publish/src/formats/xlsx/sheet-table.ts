/** Reads the table in a sheet, with its columns and rows. */
import { SourceFault } from '../../bytes/source-fault.ts'
import type { FormatOptions } from '../contract/format.ts'
import { sortedRows } from '../layout/layout.ts'
import { type Cell, letters, type SheetRow, sheetRows, type Unseen } from './sheet-rows.ts'
import type { SheetEntry, Workbook } from './workbook.ts'

/** A row of a table in a sheet, with the cells under its columns. */
export interface TableRow {
  /** Row number, from 1. */
  readonly line: number
  readonly cells: readonly (readonly [column: string, cell: Cell | undefined])[]
}

/** The table in a sheet. */
export interface SheetTable {
  readonly columns: readonly string[]
  /** Row number of the header, or of its second row. */
  readonly line: number
  readonly rows: AsyncGenerator<TableRow>
}

/**
 * Returns the sheet named `wanted`, or else the only visible or nonempty sheet. `hidden` takes hidden sheets for visible ones.
 * @throws SourceFault if there is none
 */
export async function sheetOf(
  book: Workbook,
  wanted: string | undefined,
  hidden?: 'include',
): Promise<SheetEntry> {
  const shown = (sheets: readonly SheetEntry[]) => sheets.map(({ name }) => name).join(', ')
  if (wanted !== undefined) {
    const found = book.sheets.find(({ name }) => name === wanted)
    if (found) return found
    throw new SourceFault(
      `${book.file}: there is no sheet ${JSON.stringify(wanted)}; the sheets are ${shown(book.sheets)}.`,
    )
  }
  const visible = visibleSheets(book, hidden)
  if (visible.length === 1) return visible[0] as SheetEntry
  const filled = await filledSheets(book, hidden)
  if (filled.length === 1) return filled[0] as SheetEntry
  if (filled.length === 0)
    throw new SourceFault(`${book.file}: ${['no sheet holds anything', ...hiddenSheets(book)].join('. ')}.`)
  const first = JSON.stringify(filled[0]?.name)
  throw new SourceFault(
    `${book.file}: several sheets hold something: ${shown(filled)}. Name one in the definition, as sheet: ${first}.`,
  )
}

function visibleSheets(book: Workbook, hidden?: 'include'): readonly SheetEntry[] {
  return hidden ? book.sheets : book.sheets.filter((sheet) => !sheet.hidden)
}

/** Returns a note on the number and names of hidden sheets, or an empty array if there are none. */
export function hiddenSheets(book: Workbook): string[] {
  const names = book.sheets.flatMap(({ name, hidden }) => (hidden ? [`${name} (${hidden})`] : []))
  if (names.length === 0) return []
  return [`hidden sheets, read only if a source names them: ${names.length}, ${names.join(', ')}`]
}

/** Returns the visible sheets with cells, even if all of these are in hidden rows. */
export async function filledSheets(book: Workbook, hidden?: 'include'): Promise<SheetEntry[]> {
  const filled: SheetEntry[] = []
  for (const sheet of visibleSheets(book, hidden)) {
    const rows = sheetRows(book, sheet)
    if (!(await rows.next()).done) filled.push(sheet)
    await rows.return(undefined)
  }
  return filled
}

/** Maximum number of title rows above a table. */
const MAX_TITLE_ROWS = 10

/**
 * Returns the table in a sheet, or undefined if the sheet is empty. The header is that of the options, or the first row with
 * more than one cell: rows above it with a single cell are titles, and if no row has more than one cell, the table has one
 * column. Hidden rows and columns are left out if `unseen` collects them. @throws as `sortedRows` does
 */
export async function sheetTable(
  book: Workbook,
  sheet: SheetEntry,
  unseen?: Unseen,
  options: FormatOptions = {},
): Promise<SheetTable | undefined> {
  const where = `${book.file}, sheet ${JSON.stringify(sheet.name)}`
  const rest = sheetRows(book, sheet, unseen)
  const ahead: SheetRow[] = []
  const isWide = () => ahead.at(-1)?.cells.filter(Boolean).length !== 1
  for (let next = await rest.next(); !next.done; next = await rest.next())
    if (ahead.push(next.value) > MAX_TITLE_ROWS || isWide()) break
  const above = isWide() ? Math.max(0, ahead.length - 1) : 0
  const nameOf = (text: string, place: number) => {
    if (!unseen?.columns.has(place)) return text
    if (text !== '') unseen.columns.set(place, text)
    return ''
  }
  const sorted = sortedRows(fileRows(ahead, rest), options, where, above, nameOf)
  const { value: header } = await sorted.next()
  if (header === undefined) return undefined
  const columns = new Columns(header.names ?? [])
  async function* tableRows(): AsyncGenerator<TableRow> {
    for await (const { row } of sorted) yield columns.rowOf(row)
  }
  return { columns: columns.names, line: header.row.number, rows: tableRows() }
}

/** Yields rows with the texts of all cells, since a merged cell of the header may begin in a hidden column. */
async function* fileRows(ahead: readonly SheetRow[], rest: AsyncIterable<SheetRow>) {
  for (const rows of [ahead, rest])
    for await (const row of rows) {
      const length = Math.max(row.cells.length, row.aside.length)
      yield { ...row, texts: Array.from({ length }, (_, at) => (row.cells[at] ?? row.aside[at])?.text ?? '') }
    }
}

/** Columns of a table, by their index in the sheet. */
class Columns {
  readonly names: string[]
  readonly #places = new Map<number, string>()

  constructor(names: readonly string[]) {
    names.forEach((name, place) => {
      if (name !== '') this.#places.set(place, name)
    })
    this.names = [...this.#places.values()]
  }

  /** Returns a row by column name. A cell outside the named columns is kept under its column letter. */
  rowOf({ number, cells }: SheetRow): TableRow {
    const named = [...this.#places].map(([place, name]): [string, Cell | undefined] => [name, cells[place]])
    const others = cells.flatMap((cell, place): [string, Cell | undefined][] =>
      cell === undefined || this.#places.has(place) ? [] : [[this.#letterOf(place), cell]],
    )
    return { line: number, cells: [...named, ...others] }
  }

  #letterOf(place: number): string {
    const letter = letters(place)
    return this.names.includes(letter) ? `column ${letter}` : letter
  }
}
