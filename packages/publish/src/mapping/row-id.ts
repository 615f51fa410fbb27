/** Ids of rows that have none of their own. */
import { hash } from 'node:crypto'
import type { JsonObject } from '@worldwright/client/protocol'

/** An id that no column holds: the number of the row in its file, from 1, or a digest of all that is in it. */
export interface RowId {
  readonly row: 'number' | 'hash'
}

/** Where a record stands: its number in its file, from 1, and what the file is called in a folder of several. */
export interface RecordPlace {
  readonly row: number
  readonly file?: string | undefined
}

/** 80 bits: no two of a billion rows have the same. */
const DIGITS = 20

/** The id of a row. A row that moves gets another number, one that is edited another digest. */
export function rowId({ row }: RowId, record: JsonObject, place: RecordPlace): string {
  if (row === 'hash') return hash('sha256', JSON.stringify(record), 'hex').slice(0, DIGITS)
  return place.file === undefined ? String(place.row) : `${place.file}-${place.row}`
}
