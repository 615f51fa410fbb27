/** What to do about a table that has not the columns it has to have. */
import { ColumnFault, SourceFault } from '@worldwright/server/publish'

/** Where a definition says which columns a table has. */
export const MEND = 'Say in the definition which columns are meant, or mend the table.'

/** The error, and after it, where columns are missing, what to do about it. */
export function withWayOut(error: unknown, wayOut: (fault: ColumnFault) => string): unknown {
  if (!(error instanceof ColumnFault)) return error
  return new SourceFault(`${error.message} ${wayOut(error)}`, { cause: error })
}
