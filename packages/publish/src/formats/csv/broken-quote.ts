/** Broken quotes of a text table, with the line on which the quote is opened. */
import { malformed } from '@worldwright/entities'
import type { CsvError } from 'csv-parse'

/** Maximum row length in bytes, as for an NDJSON line. It prevents an unclosed quote from exhausting memory. */
export const MAX_ROW_BYTES = 1024 * 1024

/** State of the parser that `csv-parse` does not declare: the open cell, and those before it in its row. */
interface Parsing {
  readonly state: {
    quoting: boolean
    readonly field: { toString(as: string): string }
    readonly record: string[]
  }
}

/** A broken quote. The parser counts a CR LF inside quotes as two lines. */
export type BrokenQuote = ReturnType<typeof brokenQuote>

/** Takes a broken quote from the parser that met it, and lets the parser read on after the cell. */
export function brokenQuote(error: CsvError, parser: unknown) {
  const { state } = parser as Parsing
  const { code, lines } = error as CsvError & { lines: number }
  // Otherwise the parser would stay inside the broken quotes and lose the rows up to the next quote.
  state.quoting = false
  const isEndless = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
  return { code, lines, isEndless, cell: state.field.toString('utf8'), before: [...state.record] }
}

const INSIDE =
  'a quote stands inside a cell that does not begin with one; remove spaces before it, or put the cell in quotes and write the quote twice'

/** Returns the fault of a broken quote. `countedTwice` is the number of CR LF in the cells of earlier rows. */
export function quoteFault({ code, lines, cell, before }: BrokenQuote, countedTwice: number) {
  // At the end of a file, the parser has not yet counted its last line end.
  const counted = lineEnds([cell], code === 'CSV_QUOTE_NOT_CLOSED' ? /[\r\n](?!$)/g : /[\r\n]/g)
  const line = lines - counted - countedTwice - lineEnds(before, /\r\n/g)
  const last = line + lineEnds([cell], /\r\n|[\r\n]/g)
  const where = last === line ? '' : ` on line ${last}, so that the rows between are lost in one cell`
  const messages: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; close it, or write it twice in a quoted cell',
    CSV_MAX_RECORD_SIZE: `a row is longer than ${MAX_ROW_BYTES} bytes, perhaps because a quote is not closed; close it`,
    CSV_INVALID_CLOSING_QUOTE: `text follows a closing quote${where}; a quote inside a quoted cell is written twice, and one at its end closes it`,
  }
  return {
    line,
    fault: malformed(messages[code] ?? INSIDE),
  }
}

/** Returns the number of line ends of a kind in cells. */
export function lineEnds(cells: readonly string[], kind: RegExp): number {
  return cells.reduce((sum, cell) => sum + (cell.match(kind)?.length ?? 0), 0)
}
