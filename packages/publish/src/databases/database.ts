/** Interface of a database that provides records from its tables and queries. */

import type { ListedColumn } from '../formats/table/columns.ts'

/** Supported database systems, as named in the sources of a definition. */
export const DATABASE_KINDS = ['sqlite', 'postgres', 'mysql'] as const

/** A database system, which determines the driver. */
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

/** Rows to read, either from a table or view, or from a query. */
export type RowsWanted = { readonly table: string } | { readonly query: string }

/** A foreign key, whose columns refer to rows of another table. */
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** Columns of the other table, in the same order. */
  readonly to: readonly string[]
}

/** A table or view with its declared schema. */
export interface DatabaseTable {
  /** Name as written in a source, qualified with its schema unless the schema is on the default search path. */
  readonly name: string
  readonly columns: readonly ListedColumn[]
  /** Columns of the primary key in order, or an empty array if there is no primary key. */
  readonly key: readonly string[]
  readonly references: readonly ForeignKey[]
}

/** A stream of rows. Each cell is JSON text, or undefined for NULL. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (string | undefined)[]>
}

/** An open database. All reads see one snapshot, taken by the first read. */
export interface Database {
  /** Lists tables and views, sorted by name. */
  tables(): Promise<DatabaseTable[]>
  /** Streams rows in small batches. @throws a database error */
  read(wanted: RowsWanted): Promise<Rows>
  close(): Promise<void>
}

/** Converts the digits of an integer to a JSON number, or to a string if a double would lose digits. */
export function integerJson(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : JSON.stringify(digits)
}

/** Converts a double to a JSON number, or to a string if JSON cannot represent it. */
export function doubleJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value))
}

/** Puts JSON text on one line. Line breaks can be replaced, because JSON strings never contain them. */
export function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ')
}
