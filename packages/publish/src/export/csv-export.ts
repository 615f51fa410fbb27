/** One type as a table that spreadsheets open safely, by `csv-stringify`. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { Snapshot, Storage } from '@worldwright/server/storage'
import { type Options, stringify } from 'csv-stringify/sync'

/** Attributes at most: a table with more is refused, since no spreadsheet could show it. */
const MAX_COLUMNS = 1_000
/** How a text begins that a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

const ROWS_A_PIECE = 500

type Cell = string | number

/** How a table is written, and who hears what was changed in it. */
export interface CsvExportOptions {
  /** Texts that a spreadsheet would run stay as they are. */
  readonly keepFormulas?: boolean
  readonly escaped?: (cells: number) => void
}

/**
 * The table: id, title, summary, then a column for each attribute that any entity has, in the order in which they are
 * met. Lists and objects are JSON. An apostrophe precedes a text that a spreadsheet would run as a formula, unless
 * `keepFormulas` is set; `escaped` is told at the end how many cells have one.
 * @throws RangeError for more than 1,000 attributes
 */
export async function* csvExport(
  storage: Storage,
  type: string,
  { keepFormulas = false, escaped }: CsvExportOptions = {},
): AsyncGenerator<string> {
  let formulas = 0
  const tableText = (rows: readonly Cell[][]) => {
    if (keepFormulas) return stringify([...rows])
    for (const cell of rows.flat()) if (typeof cell === 'string' && FORMULA.test(cell)) formulas += 1
    return stringify([...rows], ESCAPED)
  }
  const snapshot = await storage.snapshot()
  try {
    const attributes = await attributesOf(snapshot, type)
    // The mark tells spreadsheets that this is UTF-8.
    yield `\uFEFF${tableText([['id', 'title', 'summary', ...attributes]])}`
    let rows: Cell[][] = []
    for await (const { json } of snapshot.entities(type)) {
      rows.push(rowOf(JSON.parse(json), attributes))
      if (rows.length < ROWS_A_PIECE) continue
      yield tableText(rows)
      rows = []
    }
    if (rows.length > 0) yield tableText(rows)
    if (formulas > 0) escaped?.(formulas)
  } finally {
    await snapshot.close()
  }
}

const ESCAPED: Options = {
  escape_formulas: true,
  // A number is no formula, though a negative one begins as one.
  cast: { number: (value: number) => ({ value: String(value), escape_formulas: false }) },
}

async function attributesOf(snapshot: Snapshot, type: string): Promise<string[]> {
  const names = new Set<string>()
  for await (const { json } of snapshot.entities(type)) {
    for (const name of Object.keys((JSON.parse(json) as Entity).attributes)) {
      names.add(name)
      if (names.size > MAX_COLUMNS)
        throw new RangeError(
          `${type} has more than ${MAX_COLUMNS} attributes, too many for a table. Export NDJSON.`,
        )
    }
  }
  return [...names]
}

function rowOf({ id, title = '', summary = '', attributes }: Entity, names: readonly string[]): Cell[] {
  const cells = names.map((name) => (Object.hasOwn(attributes, name) ? cellOf(attributes[name]) : ''))
  return [id, title, summary, ...cells]
}

function cellOf(value: JsonValue | undefined): Cell {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}
