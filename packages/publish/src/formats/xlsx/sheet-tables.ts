import type { FileTable, FormatInput } from '../contract/format.ts'
import type { ColumnType, ListedColumn } from '../table/columns.ts'
import { type CellType, Unseen } from './sheet-rows.ts'
import { filledSheets, sheetTable } from './sheet-table.ts'
import { openWorkbook } from './workbook.ts'

/** Maximum number of rows sampled per sheet. */
const SAMPLE_ROWS = 10_000

/** Lists the visible, nonempty sheets in order. @throws SourceFault if the file is not a workbook */
export async function sheetTables(input: FormatInput): Promise<FileTable[]> {
  const book = await openWorkbook(input)
  const found: FileTable[] = []
  for (const sheet of await filledSheets(book)) {
    const table = await sheetTable(book, sheet, new Unseen())
    const kinds = new Map<string, Set<ColumnType | undefined>>(
      table?.columns.map((column) => [column, new Set()]),
    )
    let rows = 0
    for await (const { cells } of table?.rows ?? []) {
      for (const [column, cell] of cells) {
        const seen = kinds.get(column) ?? new Set()
        kinds.set(column, seen)
        if (cell !== undefined && cell.text !== '') seen.add(typeOf(cell.type, cell.text))
      }
      if (++rows === SAMPLE_ROWS) break
    }
    found.push({
      name: sheet.name,
      source: { sheet: sheet.name },
      columns: [...kinds].map(([column, seen]) => listed(column, seen)),
    })
  }
  return found.length === 1 ? found.map((only) => ({ ...only, source: {} })) : found
}

function listed(name: string, kinds: Set<ColumnType | undefined>): ListedColumn {
  if (kinds.has('integer') && kinds.has('number')) kinds.delete('integer')
  const [type, ...others] = kinds
  return { name, required: false, ...(type !== undefined && others.length === 0 && { type }) }
}

function typeOf(cell: CellType, text: string): ColumnType | undefined {
  switch (cell) {
    case 'text':
    case 'boolean':
      return cell
    case 'number':
      return /^-?\d+$/.test(text) ? 'integer' : 'number'
    case 'date':
      // No column type represents a time alone.
      if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'date'
      return text.includes('T') ? 'date-time' : 'text'
    default:
      return undefined
  }
}
