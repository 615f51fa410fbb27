/** CSV and TSV tables, read with `csv-parse`; the first row names the columns. */
import { Readable } from 'node:stream'
import type { ReadRecord, RecordFault } from '@worldwright/entities'
import { type CsvError, type Options, parse } from 'csv-parse'
import { SourceFault } from '../../bytes/source-fault.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { checkColumns } from '../table/columns.ts'
import { shapeOf } from './table-shape.ts'

/** Maximum bytes of a row, as of an NDJSON line: an unclosed quote is noticed here, before it takes all memory. */
const MAX_ROW_BYTES = 1024 * 1024

/** Bytes sampled to detect delimiter and quote. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Yields the rows of a table as records of strings, keyed by the names in its header: the first row, or the one below
 * the titles above the table. Rows without any text are skipped. A row with too many or too few cells, or a broken
 * quote, yields one fault.
 * @throws SourceFault if two names are equal, and at an unclosed quote: nothing after it
 *   could be trusted. ColumnFault if required columns are missing.
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
      // Otherwise the parser would stay inside the broken quotes, and lose the rows up to the next quote.
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
  // Inside quotes, the parser counts CR LF as two lines.
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

/** Returns the first line of a row that ends on line `last`; each CR LF in the row counts as two lines. */
function lineOf(cells: readonly string[], last: number): number {
  return last - lineEnds(cells, /[\r\n]/g)
}

function lineEnds(cells: readonly string[], kind: RegExp): number {
  return cells.reduce((sum, cell) => sum + (cell.match(kind)?.length ?? 0), 0)
}

/** Remembers a row above the table, unless it is empty or the `sep=` line of Excel. */
function noteTitle(titles: string[], cells: readonly string[], line: number): void {
  const [title = ''] = cells
  if (title.trim() === '' || /^sep=.?$/i.test(title)) return
  titles.push(`line ${line} stands above the table and is no record: ${JSON.stringify(title)}`)
}

/** Attaches the remembered titles to a record as warnings, and forgets them. */
function warned(read: ReadRecord, titles: string[]): ReadRecord {
  return titles.length === 0 ? read : { ...read, warnings: titles.splice(0) }
}

function columnsOf(
  record: readonly string[],
  where: string,
  name: string,
  wanted: readonly string[] = [],
): string[] {
  // Programs that number rows leave a name empty, and spreadsheets those beside the filled columns.
  const columns = record.map((column, at) => column.trim() || unnamedColumn(at + 1))
  checkColumns(columns, where, name, wanted)
  return columns
}

/** Returns the name for a column without one; `place` counts from 1. */
function unnamedColumn(place: number): string {
  return `column ${place}`
}

/** Reports whether a row is blank: spreadsheets leave rows of delimiters with nothing between them. */
function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

function rowRecord(cells: readonly string[], columns: readonly string[], line: number): ReadRecord {
  if (cells.length !== columns.length) {
    const message = `${cells.length} cells under ${columns.length} columns`
    const reason = cells.length > columns.length ? 'too_many' : 'required'
    return { line, fault: { pointer: '', reason, message }, text: JSON.stringify(cells) }
  }
  // Members are not assigned one by one, so a column called `__proto__` is like any other.
  return {
    line,
    record: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
    cells: true,
  }
}
