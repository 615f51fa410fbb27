/** Ids of rows, made of columns or generated. */
import { hash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'

/** A generated id: the number of the row in its file, counted from 1, or a digest of its content. */
export interface RowId {
  readonly row: 'number' | 'hash'
}

/** Number of a record in its file from 1, and the name of the file if it is one of several in a folder. */
export interface RecordPlace {
  readonly row: number
  readonly file?: string | undefined
}

/** Number of hexadecimal digits of a digest. With 80 bits, a collision among a billion rows is improbable. */
const DIGITS = 20

/** Returns the id of a row. Moving a row changes its number, and editing it changes its digest. */
export function rowId({ row }: RowId, record: JsonObject, place: RecordPlace): string {
  if (row === 'hash') return hash('sha256', JSON.stringify(record), 'hex').slice(0, DIGITS)
  return place.file === undefined ? String(place.row) : `${place.file}-${place.row}`
}

/** Reports whether an id is made of the row instead of columns. */
export function isRowId(id: string | readonly string[] | RowId): id is RowId {
  return typeof id === 'object' && 'row' in id
}

/** Joins the cells of the id columns, or returns undefined if one is empty. */
export function idOf(
  columns: readonly string[],
  cellOf: (column: string) => JsonValue | undefined,
): string | undefined {
  const parts = columns.map(cellOf)
  if (parts.some((part) => part === undefined || part === null)) return undefined
  return parts.map((part) => textOf(part as JsonValue)).join('-')
}

/** Converts a title, summary or id part to text. A value that is neither text nor number is refused later. */
export function textOf(value: JsonValue): string {
  return typeof value === 'number' ? String(value) : (value as string)
}
