/** A column of a table that a file holds. */
import type { ColumnType } from '../databases/database.ts'

/** A column as its table declares or shows it. */
export interface ListedColumn {
  readonly name: string
  /** Absent if the values differ, or say it themselves. */
  readonly type?: ColumnType
  /** Every row has a value, as the table declares it. */
  readonly required: boolean
}
