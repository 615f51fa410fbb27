/** The columns of a table: their names, and the types of their values if known. */
import { SourceFault } from '../../bytes/source-fault.ts'

/** Type of a column's values in an entity. Decimals, and numbers that a double cannot hold, are text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'date-time' | 'json'

/** A column as its table declares it or its values show it. */
export interface ListedColumn {
  readonly name: string
  /** Absent if the values differ in type, or carry it themselves. */
  readonly type?: ColumnType
  /** The table declares that every row has a value. */
  readonly required: boolean
}

/** A table that lacks some of its required columns. */
export class ColumnFault extends SourceFault {
  /** Name of the source. */
  readonly source: string
  /** The missing columns, in the order in which they were requested. */
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
 * Checks the columns of the source `name`; messages begin with `where`.
 * @throws SourceFault if two have the same name, ColumnFault if a wanted one is missing
 */
export function checkColumns(
  columns: readonly string[],
  where: string,
  name: string,
  wanted: readonly string[] = [],
): void {
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index)
  if (repeated !== undefined)
    throw new SourceFault(`${where}: two columns are called ${JSON.stringify(repeated)}.`)
  const missing = wanted.filter((column) => !columns.includes(column))
  if (missing.length > 0) throw new ColumnFault(name, where, missing, columns)
}
