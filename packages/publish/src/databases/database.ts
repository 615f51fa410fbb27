/** What is asked of a database that holds records: its tables, and the rows of one or of a query. */

import type { ListedColumn } from '../formats/table/columns.ts'

/** The kinds of databases, as a definition's source names them. */
export const DATABASE_KINDS = ['sqlite', 'postgres', 'mysql'] as const

/** One of them. It says which program opens the database. */
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

/** Which rows are read: all of a table or view, or those of a query. */
export type RowsWanted = { readonly table: string } | { readonly query: string }

/** Columns that name rows of another table. */
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly table: string
  /** The columns of the other table, in the same order. */
  readonly to: readonly string[]
}

/** A table or view, and what its schema says of it. */
export interface DatabaseTable {
  /** As a source names it; with its schema where that is not the usual one. */
  readonly name: string
  readonly columns: readonly ListedColumn[]
  /** The columns of its primary key, in order; none if there is none. */
  readonly key: readonly string[]
  readonly references: readonly ForeignKey[]
}

/** Rows while they are read: each cell as JSON text, undefined if it is NULL. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (string | undefined)[]>
}

/** An open database. All reads of one see it as it was at the first. */
export interface Database {
  /** Tables and views, by name. */
  tables(): Promise<DatabaseTable[]>
  /** Reads rows, a few at a time. @throws an error of the database */
  read(wanted: RowsWanted): Promise<Rows>
  close(): Promise<void>
}

/** A whole number, written as digits, as JSON: as text where a double would lose some of them. */
export function integerJson(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : JSON.stringify(digits)
}

/** A double as JSON: as text where JSON has no such number. */
export function doubleJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value))
}

/** JSON text in one line: outside its strings, line ends are white space. */
export function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ')
}
