/** One type as a table that spreadsheets open safely, by `csv-stringify`. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import { stringify } from 'csv-stringify/sync'
import type { Snapshot, Storage } from '../../storage/contract.ts'

/** Columns at most; further attributes are left out of a table, which no spreadsheet could show. */
const MAX_COLUMNS = 1_000

const ROWS_A_PIECE = 500

type Cell = string | number

/**
 * The table: id, title, summary, then a column for each attribute that any entity has, in the order in which they are
 * met. Lists and objects are JSON. An apostrophe precedes a text that a spreadsheet would run as a formula.
 */
export async function* csvExport(storage: Storage, type: string): AsyncGenerator<string> {
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
  } finally {
    await snapshot.close()
  }
}

function tableText(rows: readonly Cell[][]): string {
  // A number is no formula, though a negative one begins as one.
  const number = (value: number) => ({ value: String(value), escape_formulas: false })
  return stringify([...rows], { escape_formulas: true, cast: { number } })
}

async function attributesOf(snapshot: Snapshot, type: string): Promise<string[]> {
  const names = new Set<string>()
  for await (const { json } of snapshot.entities(type)) {
    for (const name of Object.keys((JSON.parse(json) as Entity).attributes)) {
      if (names.size < MAX_COLUMNS) names.add(name)
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
