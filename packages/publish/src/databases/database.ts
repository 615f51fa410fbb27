/** What is asked of a database that holds records: its tables, and the rows of one or of a query. */

/** A kind of database, as a definition's source names it. */
export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql'

/** Which rows are read: all of a table or view, or those of a query. */
export type RowsWanted = { readonly table: string } | { readonly query: string }

/** A column of a table. */
export interface TableColumn {
  readonly name: string
  /** The type as the database writes it, such as `numeric(10,2)`; empty if none is declared. */
  readonly declared: string
  /** What its values are in an entity. */
  readonly type: ColumnType
  /** Every row has a value. */
  readonly required: boolean
}

/** What the values of a column are, in an entity. Decimals and what a double cannot hold are text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'date-time' | 'json'

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
  readonly columns: readonly TableColumn[]
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
