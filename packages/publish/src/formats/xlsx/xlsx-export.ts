import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import writeExcelFile, { type Cell } from 'write-excel-file/node'
import type { WriteOptions } from '../contract/format.ts'
import {
  FIRST_COLUMNS,
  idsOf,
  type TableColumn,
  TableTooLarge,
  tableColumns,
} from '../table/export-columns.ts'

/** Maximum number of cells, and size of their JSON in characters. The sheet is held in memory: it takes up to 200 MB. */
const MAX_CELLS = 500_000
const MAX_CHARACTERS = 20_000_000

/** Maximum length of a text in a cell of Excel. */
const MAX_TEXT = 32_767

/** Largest whole number of which a spreadsheet shows all digits. Larger ones are written as text. */
const MAX_WHOLE = 999_999_999_999_999

/** Maximum length of a sheet's name, and the characters that it may not contain. */
const MAX_NAME = 31
const NOT_IN_NAMES = /[:\\/?*[\]]/g

/** Characters that XML cannot hold or changes, and text that looks like their escapes. Excel writes them as `_x000D_`. */
const ESCAPED = /[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|_(?=x[0-9A-Fa-f]{4}_)/gu

/** Midnight of 1 January 1980, as archives store times. */
const FIRST_TIME = 0x21_0000

/** Dates from the first year that every spreadsheet counts alike. */
const DATE = /^(?:19(?!00)\d\d|[2-9]\d{3})-\d\d-\d\d$/

/**
 * Writes one sheet: id, title and summary, then one column per attribute (see `tableColumns`), with texts, numbers, booleans
 * and the dates that the schema declares as such. References are written as ids, and other lists and objects as JSON.
 * @throws TooManyColumns; TableTooLarge for more than 500,000 cells, 20 MB of JSON, or a text of more than 32,767 characters
 */
export async function* xlsxExport(
  snapshot: Snapshot,
  { type = '', schema, count = 0 }: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const tooLarge = `${type} has more than ${MAX_CELLS} cells, or ${MAX_CHARACTERS} characters.`
  const width = FIRST_COLUMNS.length + Object.keys(Object(schema?.['properties'])).length
  if (count * width > MAX_CELLS) throw new TableTooLarge(tooLarge)
  const columns = await tableColumns(snapshot, type, schema)
  const names = [...FIRST_COLUMNS, ...columns.map(({ name }) => name)]
  const rows: Cell[][] = [names.map((name) => ({ value: textOf(name, type) ?? '', fontWeight: 'bold' }))]
  let characters = 0
  for await (const { json } of snapshot.entities(type)) {
    characters += json.length
    const { id, title = '', summary = '', attributes } = JSON.parse(json) as Entity
    const cells = columns.map((column) =>
      Object.hasOwn(attributes, column.attribute) ? cellOf(attributes[column.attribute], column, type) : null,
    )
    rows.push([...[id, title, summary].map((text) => textOf(text, type)), ...cells])
    if (rows.length * names.length > MAX_CELLS || characters > MAX_CHARACTERS)
      throw new TableTooLarge(tooLarge)
  }
  const sheet = type.replace(NOT_IN_NAMES, '-').slice(0, MAX_NAME)
  yield withoutTimes(await writeExcelFile(rows, { sheet, stickyRowsCount: 1 }).toBuffer())
}

/** Sets the time of each file of an archive to the first that its format knows, so that equal tables are equal bytes. */
function withoutTimes(archive: Buffer): Buffer {
  const end = archive.length - 22
  for (let at = archive.readUInt32LE(end + 16); at < end; ) {
    archive.writeUInt32LE(FIRST_TIME, at + 12)
    archive.writeUInt32LE(FIRST_TIME, archive.readUInt32LE(at + 42) + 10)
    at += 46 + [28, 30, 32].reduce((sum, length) => sum + archive.readUInt16LE(at + length), 0)
  }
  return archive
}

function cellOf(value: JsonValue | undefined, { isDate, isReference }: TableColumn, type: string): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) > MAX_WHOLE ? String(value) : value
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string')
    return textOf((isReference ? idsOf(value) : undefined) ?? JSON.stringify(value), type)
  const day = new Date(isDate && DATE.test(value) ? value : Number.NaN)
  // A day that does not exist, such as February 30, would become another one.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value)) return textOf(value, type)
  return { value: day, type: Date, format: 'yyyy-mm-dd' }
}

function textOf(text: string, type: string): string | null {
  if (text.length > MAX_TEXT)
    throw new TableTooLarge(`${type} has a text of more than ${MAX_TEXT} characters, too long for a cell.`)
  const escaped = (one: string) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  // An empty text is an empty cell. The library loses texts that are members of every object, such as `constructor`.
  return text === '' ? null : text.replace(text in {} ? /^./ : ESCAPED, escaped)
}
