/** Interface of a database that provides records from its tables and queries. */
import { holdsValue } from '@worldwright/client/exact'
import { parseJson } from '@worldwright/entities'
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
  /** Comment on the table. */
  readonly description?: string | undefined
  readonly columns: readonly ListedColumn[]
  /** Columns of the primary key in order, or an empty array if there is no primary key. */
  readonly key: readonly string[]
  readonly references: readonly ForeignKey[]
  /** Set if the user lacks the right to read it. */
  readonly denied?: boolean
}

/** A stream of rows. Each cell is JSON text, or undefined for NULL. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (string | undefined)[]>
  /** Number of cells by column whose JSON has numbers kept as text, counted as rows are read. */
  readonly asText: ReadonlyMap<string, number>
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

/** Returns the decimals of a declared type such as `numeric(10,2)`, if a double keeps all digits of its values. */
export function decimalsOf(declared: string): Pick<ListedColumn, 'decimals'> {
  const [, precision = 0, decimals = 0] = /^(?:numeric|decimal)\((\d+),(\d+)\)/.exec(declared) ?? []
  return Number(precision) <= 15 && Number(decimals) > 0 ? { decimals: Number(decimals) } : {}
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/** Counts the cells of a column whose JSON has numbers that are kept as text, since a double would lose digits of them. */
export class JsonCells {
  readonly asText = new Map<string, number>()

  /** Returns JSON on one line, with all digits of its numbers. Line breaks never occur in JSON strings. */
  exact(column: string, json: string): string {
    const { line, isExact } = exactLine(json)
    if (!isExact) this.asText.set(column, (this.asText.get(column) ?? 0) + 1)
    return line
  }

  /** Returns the same, or else a JSON string if the text is no JSON. */
  exactOrText(column: string, text: string): string {
    return 'value' in parseJson(exactLine(text).line) ? this.exact(column, text) : JSON.stringify(text)
  }
}

function exactLine(json: string): { readonly line: string; readonly isExact: boolean } {
  const text = json.replaceAll(/[\r\n]+/g, ' ')
  // Shorter numbers without an exponent lose nothing.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return { line: text, isExact: true }
  const line = text.replaceAll(STRING_OR_NUMBER, (literal) =>
    literal.startsWith('"') || holdsValue(Number(literal), literal) ? literal : JSON.stringify(literal),
  )
  return { line, isExact: line === text }
}

/** Quotes a name in SQL. MySQL has another sign for that. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
