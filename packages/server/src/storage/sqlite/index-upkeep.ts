/** What the search index needs beside writes and merges: to be built, by the weights of attributes. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexWriter } from '../../search/write/index-writer.ts'
import type { MaybePromise, SearchWeights } from '../contract.ts'
import { documentFromJson } from '../search-text.ts'
import { textOfWeights, WEIGHTS_KEY } from '../search-weights.ts'
import { withFaults } from './faults.ts'
import { query } from './query.ts'
import { clearIndex, isIndexed } from './segments.ts'
import type { StoreState } from './store-state.ts'
import { insisting, undo, writing } from './transaction.ts'

/** The upkeep of one connection. */
export interface IndexUpkeep {
  /** Builds the index from the entities where it is of another format, or never was built. Blocks until it is. */
  build(): void
  /** Builds the index anew, whatever it is. */
  rebuild(): void
  /** See `Storage.setSearchWeights`. */
  setWeights(weights: SearchWeights): MaybePromise<void>
}

/** Keeps the search index of a store in step with its format and weights. */
export function indexUpkeep(db: DatabaseSync, writer: IndexWriter, state: StoreState): IndexUpkeep {
  function build(always: boolean): void {
    if (!always && isIndexed(db)) return
    insisting(() => db.exec('BEGIN IMMEDIATE'))
    try {
      if (always || !isIndexed(db)) buildNow(db, writer, state)
      db.exec('COMMIT')
    } catch (error) {
      undo(db)
      throw error
    }
  }

  return {
    build: () => build(false),
    rebuild: () => build(true),
    setWeights(weights) {
      const text = textOfWeights(weights)
      if (withFaults(() => state.metadata(WEIGHTS_KEY))?.value === text) return
      return writing(db, () => {
        state.advance(new Map(), { [WEIGHTS_KEY]: text })
        buildNow(db, writer, state)
      })
    },
  }
}

function buildNow(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  clearIndex(db)
  const weights = state.searchWeights()
  const entities = query<[string, string]>(db, 'SELECT type, json FROM entities ORDER BY type, id')
  const documents = Iterator.from(entities.iterate()).map(([type, json]) =>
    documentFromJson(type, json, weights),
  )
  writer.build(documents)
}
