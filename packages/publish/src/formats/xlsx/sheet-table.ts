/** Reads the table in a sheet, with its columns and rows. */
import { SourceFault } from '../../bytes/source-fault.ts'
import { type Cell, letters, type SheetRow, sheetRows, type Unseen } from './sheet-rows.ts'
import type { SheetEntry, Workbook } from './workbook.ts'

/** A row of a table in a sheet, with the cells under its columns. */
export interface TableRow {
  /** Row number, from 1. */
  readonly line: number
  readonly cells: readonly (readonly [column: string, cell: Cell | undefined])[]
}

/** The table in a sheet, with the rows above its header. */
export interface SheetTable {
  readonly columns: readonly string[]
  /** Row number of the header. */
  readonly line: number
  /** Rows above the header, each with a single cell. */
  readonly titles: readonly SheetRow[]
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
 * Returns the table in a sheet, or undefined if the sheet is empty. The header is the first row with more than one cell.
 * Rows above it with a single cell are titles. If no row has more than one cell, the table has one column. Hidden rows and
 * columns are left out if `unseen` collects them.
 */
export async function sheetTable(
  book: Workbook,
  sheet: SheetEntry,
  unseen?: Unseen,
): Promise<SheetTable | undefined> {
  const rows = sheetRows(book, sheet, unseen)
  const above: SheetRow[] = []
  let header: SheetRow | undefined
  while (header === undefined && above.length <= MAX_TITLE_ROWS) {
    const next = await rows.next()
    if (next.done) break
    if (next.value.cells.filter(Boolean).length > 1) header = next.value
    else above.push(next.value)
  }
  const isNarrow = header === undefined
  header ??= above.shift()
  if (header === undefined) return undefined
  header.aside.forEach((cell, place) => {
    if (cell) unseen?.columns.set(place, cell.text.trim())
  })
  const columns = new Columns(header)
  async function* tableRows(): AsyncGenerator<TableRow> {
    if (isNarrow) for (const row of above) yield columns.rowOf(row)
    for await (const row of rows) yield columns.rowOf(row)
  }
  const titles = isNarrow ? [] : above
  return { columns: columns.names, line: header.number, titles, rows: tableRows() }
}

/** Columns of a table, by their index in the sheet. */
class Columns {
  readonly names: string[]
  readonly #places = new Map<number, string>()

  constructor({ cells }: SheetRow) {
    cells.forEach((cell, place) => {
      const name = cell?.text.trim() ?? ''
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
