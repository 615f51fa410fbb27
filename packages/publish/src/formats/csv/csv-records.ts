/** Reads CSV and TSV tables, whose first row names the columns, with `csv-parse`. */
import { Readable } from 'node:stream'
import type { ReadRecord, RecordFault } from '@worldwright/entities'
import { type CsvError, type Options, parse } from 'csv-parse'
import { SourceFault } from '../../bytes/source-fault.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { checkColumns } from '../table/columns.ts'
import { shapeOf } from './table-shape.ts'

/** Maximum row length in bytes, as for an NDJSON line. It prevents an unclosed quote from exhausting memory. */
const MAX_ROW_BYTES = 1024 * 1024

/** Number of bytes sampled to detect the delimiter and quote. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Yields the rows of a table as records of strings, keyed by column name. The header is the first row after any titles
 * above the table. Blank rows are skipped. A row with too many or too few cells, or with a broken quote, yields one fault.
 * Rows after a fault are still read.
 * @throws SourceFault if two column names are equal, or a quote is never closed, so that nothing after it can be trusted;
 *   ColumnFault if required columns are missing
 */
export async function* tableRecords(
  { bytes, head, name }: FormatInput,
  options: FormatOptions,
): AsyncGenerator<ReadRecord> {
  const { above, ...shape } = shapeOf(head.toString('utf8', 0, SAMPLE_BYTES), options)
  const skipped: { line: number; fault: RecordFault }[] = []
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
      if (ENDLESS.has(error.code)) parser.destroy(endless(name, error))
      // Otherwise the parser would stay inside the broken quotes and lose the rows up to the next quote.
      else (parser as unknown as { state: { quoting: boolean } }).state.quoting = false
      const fault = { pointer: '', reason: 'malformed', message: quoteMessage(error) } as const
      const { lines: line } = error as CsvError & { lines: number }
      if (skipped.at(-1)?.line !== line) skipped.push({ line, fault })
    },
  } as Options)
  const input = Readable.from(utf8Only(bytes, name), { objectMode: true })
  input.on('error', (error) => parser.destroy(error))
  input.pipe(parser)
  let columns: readonly string[] | undefined
  // The parser counts a CR LF inside quotes as two lines.
  let countedTwice = 0
  let rows = 0
  const titles: string[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      while (skipped[0] !== undefined && skipped[0].line <= info.lines) yield skipped.shift() as ReadRecord
      const line = lineOf(record, info.lines - countedTwice)
      if (rows++ < above) noteTitle(titles, record, line)
      else if (columns === undefined) columns = columnsOf(record, `${name}:${line}`, name, options.columns)
      else if (!isEmpty(record)) yield warned(rowRecord(record, columns, line), titles)
      countedTwice += lineEnds(record, /\r\n/g)
    }
  } finally {
    input.destroy()
  }
  yield* skipped
}

const ENDLESS = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

function endless(name: string, error: CsvError): SourceFault {
  const { lines } = error as CsvError & { lines: number }
  const why =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quote is opened and never closed'
      : `a row is longer than ${MAX_ROW_BYTES} bytes; is a quote not closed?`
  return new SourceFault(`${name}:${lines}: ${why}. Nothing of it was loaded.`)
}

function quoteMessage(error: CsvError): string {
  return error.code === 'CSV_INVALID_CLOSING_QUOTE'
    ? 'text follows a closing quote; a quote inside a quoted cell is written twice'
    : 'a quote stands inside a cell that does not begin with one'
}

/** Returns the line on which a row begins. `last` is its last line, counting a CR LF in the row as two lines. */
function lineOf(cells: readonly string[], last: number): number {
  return last - lineEnds(cells, /[\r\n]/g)
}

function lineEnds(cells: readonly string[], kind: RegExp): number {
  return cells.reduce((sum, cell) => sum + (cell.match(kind)?.length ?? 0), 0)
}

/** Records a row above the table as a title, unless it is empty or Excel's `sep=` line. */
function noteTitle(titles: string[], cells: readonly string[], line: number): void {
  const [title = ''] = cells
  if (title.trim() === '' || /^sep=.?$/i.test(title)) return
  titles.push(`line ${line} stands above the table and is no record: ${JSON.stringify(title)}`)
}

/** Attaches the recorded titles to a record as warnings and clears them. */
function warned(read: ReadRecord, titles: string[]): ReadRecord {
  return titles.length === 0 ? read : { ...read, warnings: titles.splice(0) }
}

function columnsOf(
  record: readonly string[],
  where: string,
  name: string,
  wanted: readonly string[] = [],
): string[] {
  // Programs leave a column of row numbers unnamed, and spreadsheets leave columns beside the table unnamed.
  const columns = record.map((column, at) => column.trim() || `column ${at + 1}`)
  checkColumns(columns, where, name, wanted)
  return columns
}

/** Reports whether a row is blank. Spreadsheets write rows that consist only of delimiters. */
function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

function rowRecord(cells: readonly string[], columns: readonly string[], line: number): ReadRecord {
  if (cells.length !== columns.length) {
    const message = `${cells.length} cells under ${columns.length} columns`
    const reason = cells.length > columns.length ? 'too_many' : 'required'
    return { line, fault: { pointer: '', reason, message }, text: JSON.stringify(cells) }
  }
  // `fromEntries` defines members instead of assigning them, which also works for a column called `__proto__`.
  return {
    line,
    record: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
    cells: true,
  }
}
