/** How a table in text is written: what separates its cells, what quotes them, and which rows stand above it. */
import { parse } from 'csv-parse/sync'
import type { FormatOptions } from '../contract/format.ts'

/** How a table is split into rows and cells. */
export interface TableShape {
  readonly delimiter: string
  readonly quote: string
  /** How many rows stand above the one that names the columns. */
  readonly above: number
}

const SAMPLE_ROWS = 20

const DELIMITERS = [',', '\t', ';', '|']
const QUOTES = ['"', "'"]

/** What Excel writes into a first line of its own, to say what separates cells. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\r?\n/i

/** The delimiter and quote under which the first rows have most columns, and most of them as many. */
export function shapeOf(head: string, { delimiter, quote }: FormatOptions): TableShape {
  const said = SEPARATOR_LINE.exec(head)
  const text = said ? head.slice(said[0].length) : head
  const given = delimiter ?? said?.[1]
  let best = { delimiter: given ?? ',', quote: quote ?? '"', score: 0 }
  for (const one of given === undefined ? DELIMITERS : [given]) {
    for (const other of quote === undefined ? QUOTES : [quote]) {
      if (other === "'" && !new RegExp(`(?:^|\\${one})'`, 'm').test(text)) continue
      const score = scoreOf(rowsOf(text, one, other))
      if (score > best.score) best = { delimiter: one, quote: other, score }
    }
  }
  const titles = titlesIn(rowsOf(text, best.delimiter, best.quote))
  return { delimiter: best.delimiter, quote: best.quote, above: titles + (said ? 1 : 0) }
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
  // The last row of the sample may have been cut.
  const whole = table.length > 1 && rows.length < SAMPLE_ROWS ? table.slice(0, -1) : table
  const alike = whole.filter((row) => row.length === width).length / Math.max(1, whole.length)
  return alike + width / 1_000
}

/**
 * How many rows above the columns' names hold a title or nothing: their first cell alone, or no cell, is filled, though
 * the table has several columns. Names are no numbers, and there is a row under them.
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
