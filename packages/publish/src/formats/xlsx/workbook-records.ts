import type { ReadRecord } from '@worldwright/entities'
import { SourceFault } from '../../bytes/source-fault.ts'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { counted, rangesOf } from '../layout/counted.ts'
import { checkColumns } from '../table/columns.ts'
import { Unseen } from './sheet-rows.ts'
import { hiddenSheets, type SheetTable, sheetOf, sheetTable } from './sheet-table.ts'
import { openWorkbook } from './workbook.ts'

/**
 * Yields the rows of a sheet as records of text, like those of a CSV file, skipping empty rows. A cell with an error or an
 * uncomputed formula becomes empty text and is named in a warning. Hidden rows and columns are left out, and noted at the end,
 * unless `hidden` includes them.
 * @throws SourceFault as `openWorkbook` does, if there is no such sheet, or if its columns are unusable
 */
export async function* workbookRecords(
  input: FormatInput,
  options: FormatOptions,
): AsyncGenerator<ReadRecord> {
  const { sheet, columns = [], hidden, except = {}, onNote = () => {}, onMerged } = options
  const wanted = [...columns, ...Object.keys(except)]
  const book = await openWorkbook(input)
  const entry = await sheetOf(book, sheet, hidden)
  const unseen = hidden ? undefined : new Unseen()
  const table = await sheetTable(book, entry, unseen, options)
  const where = `${input.name}, sheet ${JSON.stringify(entry.name)}`
  if (table !== undefined) {
    const names = [...(unseen?.columns.values() ?? [])]
    const needed = wanted.find((column) => names.includes(column) && !table.columns.includes(column))
    if (needed !== undefined)
      throw new SourceFault(`${where}: the column ${JSON.stringify(needed)} is hidden. ${TO_INCLUDE}.`)
    checkColumns(table.columns, `${where}:${table.line}`, where, wanted)
    yield* tableRecords(table)
  }
  if (unseen === undefined) return
  onMerged?.(unseen.merged)
  for (const note of hiddenSheets(book)) onNote(`${input.name}: ${note}`)
  for (const note of unseenNote(unseen)) onNote(`${where}: ${note}`)
}

const TO_INCLUDE = 'To take hidden rows and columns, say hidden: include'

/** Returns a note on hidden rows and columns, or an empty array if there are none. */
function unseenNote({ rows, columns }: Unseen): string[] {
  const parts = [
    ...(rows.length > 0 ? [counted('row', rows.length, rangesOf(rows))] : []),
    ...(columns.size > 0 ? [counted('column', columns.size, [...columns.values()])] : []),
  ]
  return parts.length === 0 ? [] : [`hidden, and left out: ${parts.join('; ')}. ${TO_INCLUDE}`]
}

async function* tableRecords(table: SheetTable): AsyncGenerator<ReadRecord> {
  const warnings: string[] = []
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
