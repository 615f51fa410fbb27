/** Reads the records of a sheet whose first row names the columns. */

import type { ReadRecord } from '@worldwright/entities'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { checkColumns } from '../table/columns.ts'
import { type SheetTable, sheetOf, sheetTable } from './sheet-table.ts'
import { openWorkbook } from './workbook.ts'

/**
 * Yields the rows of a sheet as records of text, like those of a CSV file, skipping empty rows. A cell with an error or an
 * uncomputed formula becomes empty text and is named in a warning.
 * @throws SourceFault as `openWorkbook` does, if there is no such sheet, or if its columns are unusable
 */
export async function* workbookRecords(
  input: FormatInput,
  { sheet, columns: wanted = [] }: FormatOptions,
): AsyncGenerator<ReadRecord> {
  const book = await openWorkbook(input)
  const entry = await sheetOf(book, sheet)
  const table = await sheetTable(book, entry)
  if (table === undefined) return
  const where = `${input.name}, sheet ${JSON.stringify(entry.name)}`
  checkColumns(table.columns, `${where}:${table.line}`, where, wanted)
  yield* tableRecords(table)
}

async function* tableRecords(table: SheetTable): AsyncGenerator<ReadRecord> {
  const warnings = table.titles.map(({ number, cells }) => {
    const text = JSON.stringify(cells.find(Boolean)?.text)
    return `row ${number} stands above the table and is no record: ${text}`
  })
  for await (const { line, cells } of table.rows) {
    const members = cells.map(([column, cell]): [string, string] => {
      if (cell?.type === 'error')
        warnings.push(`${JSON.stringify(column)} holds the error ${cell.text}, which is left out`)
      else if (cell?.type === 'uncomputed')
        warnings.push(
          `${JSON.stringify(column)} holds a formula without a value; save the file in a spreadsheet program`,
        )
      else return [column, cell?.text ?? '']
      return [column, '']
    })
    // `fromEntries` defines members instead of assigning them, which also works for a column called `__proto__`.
    const record = Object.fromEntries(members)
    yield { line, record, cells: true, ...(warnings.length > 0 && { warnings: warnings.splice(0) }) }
  }
}
