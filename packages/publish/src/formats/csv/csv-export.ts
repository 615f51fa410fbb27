/** Exports one type with `csv-stringify`, as a CSV table that is safe to open in a spreadsheet. */
import { ExactNumber } from '@worldwright/client/exact'
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import { type Options, stringify } from 'csv-stringify/sync'
import type { WriteOptions } from '../contract/format.ts'
import { FIRST_COLUMNS, idsOf, type TableColumn, tableColumns } from '../table/export-columns.ts'
import { referenceTitles } from '../table/reference-titles.ts'

/** Pattern of text that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

const ROWS_A_PIECE = 500

type Cell = string | number | ExactNumber

/**
 * Writes id, title and summary, then one column per attribute (see `tableColumns`). References to entities of one type are
 * written as their ids, several with semicolons between them, and other lists and objects as JSON. With `titles`, a column of
 * references is followed by one with the titles of their entities.
 * Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe unless `keepFormulas` is set.
 * @throws TooManyColumns; with `titles` TableTooLarge
 */
export async function* csvExport(
  snapshot: Snapshot,
  { type, schema, titles = false, keepFormulas = false, escaped, parse = JSON.parse }: WriteOptions,
): AsyncGenerator<string> {
  let formulas = 0
  const tableText = (rows: readonly Cell[][]) => {
    if (keepFormulas) return stringify([...rows])
    for (const cell of rows.flat()) if (typeof cell === 'string' && FORMULA.test(cell)) formulas += 1
    return stringify([...rows], ESCAPED)
  }
  const columns = await tableColumns(snapshot, type, schema)
  const titlesOf = titles ? await referenceTitles(snapshot, type, columns) : undefined
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${tableText([headerOf(columns, titles)])}`
  let rows: Cell[][] = []
  for await (const { json } of snapshot.entities(type)) {
    rows.push(rowOf(parse(json) as Entity, columns, titlesOf))
    if (rows.length < ROWS_A_PIECE) continue
    yield tableText(rows)
    rows = []
  }
  if (rows.length > 0) yield tableText(rows)
  if (formulas > 0) escaped?.(formulas)
}

/** Returns rows as CSV, with formulas escaped. Lists and objects are written as JSON. */
export function csvTable(columns: readonly string[], rows: readonly (readonly JsonValue[])[]): string {
  return `\uFEFF${stringify([[...columns], ...rows.map((row) => row.map(cellOf))], ESCAPED)}`
}

// A negative number begins like a formula but is not one.
const plain = (value: object | number) => ({ value: String(value), escape_formulas: false })
const ESCAPED: Options = { escape_formulas: true, cast: { number: plain, object: plain } }

/** Returns the names of the columns. A column of titles has the name of its references, with a word that makes it unique. */
function headerOf(columns: readonly TableColumn[], titles: boolean): string[] {
  const taken = new Set<string>([...FIRST_COLUMNS, ...columns.map(({ name }) => name)])
  const names = columns.flatMap(({ name, hasTitles }) => {
    if (!titles || !hasTitles) return [name]
    let title = `${name} title`
    while (taken.has(title)) title += ' title'
    taken.add(title)
    return [name, title]
  })
  return [...FIRST_COLUMNS, ...names]
}

function rowOf(
  { id, title = '', summary = '', attributes }: Entity,
  columns: readonly TableColumn[],
  titlesOf: Awaited<ReturnType<typeof referenceTitles>> | undefined,
): Cell[] {
  const cells = columns.flatMap((column) => {
    const { attribute, isReference, hasTitles } = column
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
    const cell = (isReference && value ? idsOf(value) : undefined) ?? cellOf(value)
    return titlesOf && hasTitles ? [cell, titlesOf(value, column)] : [cell]
  })
  return [id, title, summary, ...cells]
}

function cellOf(value: JsonValue | ExactNumber | undefined): Cell {
  if (value === null || value === undefined) return ''
  if (value instanceof ExactNumber) return value
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}
