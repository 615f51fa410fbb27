/** Store components used by imports and by following. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexWriter } from '@worldwright/search'
import type { EntityRows } from './entity-rows.ts'
import type { LogRows } from './log-rows.ts'
import type { PrecedenceRows } from './precedence-rows.ts'
import type { Staging } from './staging.ts'
import type { StoreState } from './store-state.ts'

/** Store components used by an import. */
export interface ImportParts {
  readonly db: DatabaseSync
  /** Absolute path of the store. */
  readonly file: string
  readonly staging: Staging
  readonly state: StoreState
  readonly rows: EntityRows
  readonly log: LogRows
  readonly precedence: PrecedenceRows
  readonly writer: IndexWriter
  readonly now: () => Date
  /** Schedules background work. Called when an import ends. */
  readonly maintainSoon: () => void
}
