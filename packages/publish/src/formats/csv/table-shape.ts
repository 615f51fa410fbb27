/** Detects the delimiter and quote of a text table, and the number of rows above its header. */
import { parse } from 'csv-parse/sync'
import type { FormatOptions } from '../contract/format.ts'

/** Parameters for splitting text into rows and cells. */
export interface TableShape {
  readonly delimiter: string
  readonly quote: string
  /** Number of rows above the header, -1 if the options tell the header. */
  readonly above: number
}

const SAMPLE_ROWS = 20

const DELIMITERS = [',', '\t', ';', '|']
const QUOTES = ['"', "'"]

/** First line that Excel writes to declare the delimiter. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\r?\n/i

const LINE_END = /(?<=\r\n|\r(?!\n)|\n)/

/** Chooses the delimiter and quote that give most first rows one width, from a given header on. In a tie, the widest wins. */
export function shapeOf(head: string, { delimiter, quote, header, skip = 0 }: FormatOptions): TableShape {
  const said = SEPARATOR_LINE.exec(head)
  const isGiven = header !== undefined || skip > 0
  const top = header === undefined ? skip || (said ? 1 : 0) : Math.min(...[header].flat()) - 1
  const text = head.split(LINE_END).slice(top).join('')
  const given = delimiter ?? said?.[1]
  let best = { delimiter: given ?? ',', quote: quote ?? '"', score: 0 }
  for (const one of given === undefined ? DELIMITERS : [given]) {
    for (const other of quote === undefined ? QUOTES : [quote]) {
      if (other === "'" && !new RegExp(`(?:^|\\${one})'`, 'm').test(text)) continue
      const score = scoreOf(rowsOf(text, one, other))
      if (score > best.score) best = { delimiter: one, quote: other, score }
    }
  }
  if (best.score === 0 && given === undefined && isSpaced(rowsOf(text, ' ', best.quote)))
    best = { ...best, delimiter: ' ' }
  const titles = titlesIn(rowsOf(text, best.delimiter, best.quote)) + (said ? 1 : 0)
  return { delimiter: best.delimiter, quote: best.quote, above: isGiven ? -1 : titles }
}

function rowsOf(text: string, delimiter: string, quote: string): string[][] {
  try {
    const options = { delimiter, quote, bom: true, relax_column_count: true, skip_records_with_error: true }
    return parse(text, { ...options, skip_empty_lines: true, to: SAMPLE_ROWS })
  } catch {
    return []
  }
}

function scoreOf(rows: readonly string[][]): number {
  const table = rows.slice(titlesIn(rows))
  const width = table[0]?.length ?? 1
  if (width < 2) return 0
  // The last row of the sample may be truncated.
  const whole = table.length > 1 && rows.length < SAMPLE_ROWS ? table.slice(0, -1) : table
  const alike = whole.filter((row) => row.length === width).length / Math.max(1, whole.length)
  return alike + width / 1_000
}

/** Reports whether rows split at spaces are a table: all of one width, with several columns of numbers below the header. */
function isSpaced(rows: readonly string[][]): boolean {
  const [names = [], ...records] = rows.length < SAMPLE_ROWS ? rows : rows.slice(0, -1)
  if (records.length < 2 || rows.some((row) => row.length !== names.length || row.includes(''))) return false
  const isNumber = (cell = '') => /^(?:[-+]?\d[\d.eE+-]*|NA)$/.test(cell)
  const numbers = names.filter((name, at) => !isNumber(name) && records.every((row) => isNumber(row[at])))
  return numbers.length >= 2
}

/**
 * Returns the number of title and blank rows above the header. In these rows, only the first cell may be filled, although
 * the table has several columns. The header contains no numbers, and the next row has the same width.
 */
function titlesIn(rows: readonly string[][]): number {
  const at = rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1)
  const [names = [], under] = rows.slice(Math.max(0, at))
  if (at <= 0 || under?.length !== names.length) return 0
  if (names.some((name) => /^[-+]?[\d.,]+$/.test(name.trim()))) return 0
  const areTitles = rows
    .slice(0, at)
    .every((row) => row.length !== 2 && row.slice(1).every((cell) => cell.trim() === ''))
  return areTitles ? at : 0
}
