/** What the search index needs beside writes: to be built, to be merged, to be compared with the entities. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { IndexWriter } from '../../search/writer.ts'
import type { MaybePromise, SearchWeights } from '../contract.ts'
import { searchDocuments } from '../search-text.ts'
import { textOfWeights, WEIGHTS_KEY, weightsOfText } from '../search-weights.ts'
import { withFaults } from './faults.ts'
import { query } from './query.ts'
import { clearIndex, isIndexed } from './segments.ts'
import type { StoreState } from './store-state.ts'
import { insisting, writing, writingIfFree } from './transaction.ts'

/** How long one step of merging holds the lock, in milliseconds: short for whoever waits for it. */
const STEP_MS = 4

/** The upkeep of one connection. */
export interface IndexUpkeep {
  /** Builds the index from the entities where it is of another format, or never was built. Blocks until it is. */
  build(): void
  /** Builds the index anew, whatever it is. */
  rebuild(): void
  /** See `Storage.weigh`. */
  weigh(weights: SearchWeights): MaybePromise<void>
  /** Merges when nothing else is to be done, in short transactions, as far as no other process is writing. */
  soon(): void
}

/** Keeps an index up. */
export function indexUpkeep(db: DatabaseSync, writer: IndexWriter, state: StoreState): IndexUpkeep {
  let running = false

  async function merge(): Promise<void> {
    for (let more = true; more; ) {
      await turn()
      if (!db.isOpen) return
      more = false
      writingIfFree(db, () => {
        try {
          more = writer.tidy(STEP_MS)
        } catch (error) {
          writer.forget()
          throw error
        }
      })
    }
  }

  function build(always: boolean): void {
    if (!always && isIndexed(db)) return
    insisting(() => db.exec('BEGIN IMMEDIATE'))
    try {
      if (always || !isIndexed(db)) buildNow(db, writer, state)
      db.exec('COMMIT')
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK')
    }
  }

  return {
    build: () => build(false),
    rebuild: () => build(true),
    weigh(weights) {
      const text = textOfWeights(weights)
      if (withFaults(() => state.metadata(WEIGHTS_KEY)) === text) return
      return writing(db, () => {
        state.setMetadata(WEIGHTS_KEY, text)
        buildNow(db, writer, state)
      })
    },
    soon() {
      if (running) return
      running = true
      merge()
        // A merge can wait: the next write tries again.
        .catch(() => {})
        .finally(() => {
          running = false
        })
    },
  }
}

function buildNow(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  clearIndex(db)
  const weights = weightsOfText(state.metadata(WEIGHTS_KEY))
  const entities = query<[string, string]>(db, 'SELECT type, json FROM entities ORDER BY type, id')
  writer.build(searchDocuments(entities.iterate(), weights))
}
