import { Readable } from 'node:stream'
import type { ReadRecord } from '@worldwright/entities'
import { type Options, parse } from 'csv-parse'
import { SourceFault } from '../../bytes/source-fault.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FileRow, FormatInput, FormatOptions } from '../contract/format.ts'
import { sortedRows } from '../layout/layout.ts'
import { checkColumns } from '../table/columns.ts'
import { type BrokenQuote, brokenQuote, lineEnds, MAX_ROW_BYTES, quoteFault } from './broken-quote.ts'
import { shapeOf, type TableShape } from './table-shape.ts'

/** Number of bytes sampled to detect the delimiter and quote. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Yields the rows of a CSV or TSV table as records of strings, keyed by column name. The header is that of the options, or
 * the first row after any titles above the table. Blank rows are skipped. A row with too many or too few cells, or with a
 * broken quote, yields one fault. Rows after a fault are still read. Rows that are left out are noted at the end.
 * @throws SourceFault if two column names are equal, or a quote is never closed, so that nothing after it can be trusted;
 *   ColumnFault if required columns are missing; as `sortedRows` does
 */
export async function* tableRecords(input: FormatInput, options: FormatOptions): AsyncGenerator<ReadRecord> {
  const { name: where, head } = input
  const { columns: wanted = [], except = {}, onNote } = options
  const shape = shapeOf(head.toString('utf8', 0, SAMPLE_BYTES), options)
  // Programs leave a column of row numbers unnamed, and spreadsheets leave columns beside the table unnamed.
  const nameOf = (text: string, at: number) => text || `column ${at + 1}`
  const rows = textRows(input, shape)
  let columns: readonly string[] = []
  if (shape.trim) onNote?.(`${where}: spaces around cells are left out, as quotes follow them`)
  for await (const { row, names } of sortedRows(rows, options, where, shape.above, nameOf)) {
    const { number, texts, fault } = row
    if (fault) yield { line: number, fault }
    else if (names === undefined) yield rowRecord(texts, columns, number, shape.isOpen)
    else {
      columns = names
      checkColumns(columns, `${where}:${number}`, where, [...wanted, ...Object.keys(except)])
    }
  }
}

/** Yields the rows of a text table that are not blank. Blank rows above the filled ones count as titles. */
async function* textRows({ bytes, name }: FormatInput, { above, isOpen: _, ...shape }: TableShape) {
  const broken: BrokenQuote[] = []
  const parser = parse({
    ...shape,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    on_skip(error) {
      if (error === undefined) return
      const quote = brokenQuote(error, parser)
      // One fault is enough for a row.
      if (quote.isEndless || broken.at(-1)?.lines !== quote.lines) broken.push(quote)
      if (!quote.isEndless) return
      input.unpipe(parser)
      parser.end()
    },
  } as Options)
  const input = Readable.from(utf8Only(bytes, name), { objectMode: true })
  input.on('error', (error) => parser.destroy(error))
  input.pipe(parser)
  // The parser counts a CR LF inside quotes as two lines.
  let countedTwice = 0
  const rowOf = (quote: BrokenQuote): FileRow => {
    const { line: number, fault } = quoteFault(quote, countedTwice)
    if (quote.isEndless)
      throw new SourceFault(`${name}:${number}: ${fault.message}. Nothing of it was loaded.`)
    countedTwice += lineEnds([quote.cell, ...quote.before], /\r\n/g)
    return { number, fault, texts: [], isAfterGap: false }
  }
  let [rows, emptyLines, isAfterGap] = [0, 0, false]
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number; empty_lines: number }
    }>) {
      while (broken[0] !== undefined && broken[0].lines <= info.lines)
        yield rowOf(broken.shift() as BrokenQuote)
      const number = lineOf(record, info.lines - countedTwice)
      countedTwice += lineEnds(record, /\r\n/g)
      isAfterGap ||= info.empty_lines > emptyLines
      emptyLines = info.empty_lines
      const isBlank = rows++ > above && isEmpty(record)
      if (!isBlank) yield { number, texts: record, isAfterGap } as FileRow
      isAfterGap = isBlank
    }
  } finally {
    input.destroy()
  }
  for (const quote of broken) yield rowOf(quote)
}

/** Returns the line on which a row begins. `last` is its last line, counting a CR LF in the row as two lines. */
function lineOf(cells: readonly string[], last: number): number {
  return last - lineEnds(cells, /[\r\n]/g)
}

/** Reports whether a row is blank. Spreadsheets write rows that consist only of delimiters. */
function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

function rowRecord(
  cells: readonly string[],
  columns: readonly string[],
  line: number,
  isOpen: boolean,
): ReadRecord {
  // In an open table, a filled last cell is one that an unquoted delimiter has moved.
  const most = isOpen && cells.at(-1)?.trim() !== '' ? columns.length - 1 : columns.length
  if (cells.length > most || cells.length < (isOpen ? columns.length - 1 : most)) {
    const isLong = cells.length > most
    const count = (of: number, one: string) => `${of} ${one}${of === 1 ? '' : 's'}`
    const advice = isLong ? 'put a cell that holds the delimiter in quotes' : 'add the others, even if empty'
    const message = `${count(cells.length, 'cell')} under ${count(most, 'column')}; ${advice}${isLong && columns.length === 1 ? ', or say header: if it is further down' : ''}`
    const reason = isLong ? 'too_many' : 'required'
    return { line, fault: { pointer: '', reason, message }, text: JSON.stringify(cells) }
  }
  // `fromEntries` defines members instead of assigning them, which also works for a column called `__proto__`.
  return {
    line,
    record: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
    cells: true,
  }
}
