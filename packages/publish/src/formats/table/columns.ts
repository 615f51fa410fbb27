/** The columns of a table: their names, and what is known of their values. */
import { SourceFault } from '../../bytes/source-fault.ts'

/** What the values of a column are, in an entity. Decimals and what a double cannot hold are text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'date-time' | 'json'

/** A column as its table declares or shows it. */
export interface ListedColumn {
  readonly name: string
  /** Absent if the values differ, or say it themselves. */
  readonly type?: ColumnType
  /** Every row has a value, as the table declares it. */
  readonly required: boolean
}

/** A table without all the columns that it must have. */
export class ColumnFault extends SourceFault {
  /** What the source is called. */
  readonly source: string
  /** The columns that are not there, in the order in which they were asked for. */
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
 * Checks the columns that `where` names, in the source `name`.
 * @throws SourceFault if two are called the same, ColumnFault if a wanted one is not there
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
