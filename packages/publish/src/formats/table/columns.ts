/** Columns of a table, with names and, if known, value types. */
import { SourceFault } from '../../bytes/source-fault.ts'

/** Type of a column's values in an entity. Decimals and numbers beyond the precision of a double are text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'date-time' | 'json'

/** A column, as declared by its table or inferred from its values. */
export interface ListedColumn {
  readonly name: string
  /** Type of all values, absent if they differ in type or are typed individually. */
  readonly type?: ColumnType
  /** Set if the table declares that every row has a value. */
  readonly required: boolean
  /** Comment on the column. */
  readonly description?: string | undefined
  /** Media type of the values, which are text. */
  readonly mediaType?: string
  /** All possible values of an enumeration. */
  readonly values?: readonly string[] | undefined
  /** Number of decimals, if values are text and decimal numbers of at most 15 digits. */
  readonly decimals?: number | undefined
}

/** Error for a table that lacks required columns. */
export class ColumnFault extends SourceFault {
  /** Name of the source. */
  readonly source: string
  /** Missing columns, in the order in which they were requested. */
  readonly missing: readonly string[]

  constructor(source: string, where: string, missing: readonly string[], columns: readonly string[]) {
    const none = missing.length === 1 ? 'there is no column' : 'there are no columns'
    const are = columns.length === 1 ? 'the only column is' : 'the columns are'
    const names = missing.map((column) => JSON.stringify(column)).join(', ')
    super(`${where}: ${none} ${names}; ${are} ${columns.join(', ')}.`)
    this.source = source
    this.missing = missing
  }
}

/**
 * Checks the columns of the source `name`. Messages begin with `where`.
 * @throws SourceFault if two columns have the same name, ColumnFault if a wanted column is missing
 */
export function checkColumns(
  columns: readonly string[],
  where: string,
  name: string,
  wanted: readonly string[] = [],
): void {
  const again = columns.findIndex((column, index) => columns.indexOf(column) !== index)
  if (again >= 0) {
    const name = columns[again] as string
    const two = `two columns are called ${JSON.stringify(name)}, ${columns.indexOf(name) + 1} and ${again + 1}`
    throw new SourceFault(`${where}: ${two}. Give one of them another name.`)
  }
  const missing = wanted.filter((column) => !columns.includes(column))
  if (missing.length > 0) throw new ColumnFault(name, where, missing, columns)
}
