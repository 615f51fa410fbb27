/** Detects the delimiter and quote of a text table, and the number of rows above its header. */
import { parse } from 'csv-parse/sync'
import type { FormatOptions } from '../contract/format.ts'

/** Parameters for splitting text into rows and cells. */
export interface TableShape {
  readonly delimiter: string
  readonly quote: string
  /** Set if cells lose spaces around them, since these stand before the quotes of every row. */
  readonly trim: boolean
  /** Set if the header ends with a delimiter that no row has. */
  readonly isOpen: boolean
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
  const trimmed = rowsOf(text, best.delimiter, best.quote, true)
  const plain = rowsOf(text, best.delimiter, best.quote)
  const trim = plain.length < 2 && trimmed.length > 2
  const rows = trim ? trimmed : plain
  const titles = titlesIn(rows)
  const [names = [], ...records] = rows.slice(titles, rows.length < SAMPLE_ROWS ? undefined : -1)
  const isOpen = records.length > 0 && isOpenOver(names, records)
  const above = isGiven ? -1 : titles + (said ? 1 : 0)
  return { delimiter: best.delimiter, quote: best.quote, trim, isOpen, above }
}

function isOpenOver(names: readonly string[], rows: readonly string[][]): boolean {
  return names.at(-1)?.trim() === '' && rows.every((row) => row.length === names.length - 1)
}

function rowsOf(text: string, delimiter: string, quote: string, trim = false): string[][] {
  try {
    const skips = { relax_column_count: true, skip_records_with_error: true }
    const options = { delimiter, quote, trim, bom: true, ...skips }
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

/**
 * Reports whether rows split at spaces are a table: all of one width, with several columns of numbers below the header. Pairs
 * of digits may be one cell, such as `1 234`, below a name of two words.
 */
function isSpaced(rows: readonly string[][]): boolean {
  const [names = [], ...records] = rows.length < SAMPLE_ROWS ? rows : rows.slice(0, -1)
  if (records.length < 2 || rows.some((row) => row.length !== names.length || row.includes(''))) return false
  // Dates and codes that begin with 0 are not numbers: with a space, they may be one cell.
  const isNumber = (cell = '') => /^(?:[-+]?(?:0|[1-9]\d*)(?:\.\d*)?(?:e[-+]?\d+)?|NA)$/i.test(cell)
  const numbers = names.filter((name, at) => !isNumber(name) && records.every((row) => isNumber(row[at])))
  const arePairs = names.length === 2 && records.every((row) => row.every((cell) => /^\d+$/.test(cell)))
  return numbers.length >= 2 && !arePairs
}

/**
 * Returns the number of title and blank rows above the header. In these rows, only the first cell may be filled, although
 * the table has several columns. The header contains no numbers, and the next row has the same width.
 */
function titlesIn(rows: readonly string[][]): number {
  const at = rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1)
  const [names = [], under] = rows.slice(Math.max(0, at))
  if (at <= 0 || under === undefined) return 0
  if (under.length !== names.length && !isOpenOver(names, [under])) return 0
  if (names.some((name) => /^[-+]?[\d.,]+$/.test(name.trim()))) return 0
  const areTitles = rows
    .slice(0, at)
    .every((row) => row.length !== 2 && row.slice(1).every((cell) => cell.trim() === ''))
  return areTitles ? at : 0
}
