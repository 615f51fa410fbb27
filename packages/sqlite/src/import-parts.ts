/** Components of a store for imports and for following. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexWriter } from '@worldwright/search'
import type { EntityRows } from './entity-rows.ts'
import type { ExpiredImports } from './expired-imports.ts'
import type { LogRows } from './log-rows.ts'
import type { PrecedenceRows } from './precedence-rows.ts'
import type { Staging } from './staging.ts'
import type { StoreState } from './store-state.ts'

/** Components of a store that an import works with. */
export interface ImportParts {
  readonly db: DatabaseSync
  /** Absolute path of the store. */
  readonly file: string
  readonly staging: Staging
  readonly expiredImports: ExpiredImports
  readonly state: StoreState
  readonly rows: EntityRows
  readonly log: LogRows
  readonly precedence: PrecedenceRows
  readonly writer: IndexWriter
  readonly now: () => Date
  /** Starts background work that is due: an import has begun, so that others may be dead, or has ended. */
  readonly maintainSoon: () => void
}
