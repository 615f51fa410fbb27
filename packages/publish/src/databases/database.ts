/** The interface of a database that holds records: its tables, and the rows of a table or query. */

import type { ListedColumn } from '../formats/table/columns.ts'

/** Kinds of databases, as a definition's source names them. */
export const DATABASE_KINDS = ['sqlite', 'postgres', 'mysql'] as const

/** A kind of database. It selects the driver. */
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

/** The rows to read: all of a table or view, or those of a query. */
export type RowsWanted = { readonly table: string } | { readonly query: string }

/** A foreign key: columns that refer to rows of another table. */
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** The columns of the other table, in the same order. */
  readonly to: readonly string[]
}

/** A table or view with its declared schema. */
export interface DatabaseTable {
  /** Its name as a source writes it; qualified with its schema if that is not searched by default. */
  readonly name: string
  readonly columns: readonly ListedColumn[]
  /** Columns of the primary key, in order; empty without one. */
  readonly key: readonly string[]
  readonly references: readonly ForeignKey[]
}

/** A stream of rows. Each cell is JSON text, undefined if it is NULL. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (string | undefined)[]>
}

/** An open database. All reads see one snapshot, taken by the first read. */
export interface Database {
  /** Lists tables and views, by name. */
  tables(): Promise<DatabaseTable[]>
  /** Streams rows, a few at a time. @throws an error of the database */
  read(wanted: RowsWanted): Promise<Rows>
  close(): Promise<void>
}

/** Converts the digits of an integer to JSON: a number, or a string if a double would lose digits. */
export function integerJson(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : JSON.stringify(digits)
}

/** Converts a double to JSON: a number, or a string if JSON has no such number. */
export function doubleJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value))
}

/** Puts JSON text on one line: line ends outside its strings are white space. */
export function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ')
}
