/** What the search index needs beside writes and merges: to be built, by the weights of attributes. */
import type { DatabaseSync } from 'node:sqlite'
import type { SearchDocument } from '../../search/port/document.ts'
import type { IndexWriter } from '../../search/write/index-writer.ts'
import type { MaybePromise, SearchWeights, StoredEntity } from '../contract.ts'
import { documentFromJson } from '../search-text.ts'
import { textOfWeights, WEIGHTS_KEY } from '../weights-metadata.ts'
import { readingFrom } from './checksum.ts'
import { withFaults } from './faults.ts'
import { query } from './row-query.ts'
import { clearIndex, isIndexed } from './segments.ts'
import type { StoreState } from './store-state.ts'
import { retryWhileBusy, rollBack, writing } from './transaction.ts'

/**
 * Builds the index from the entities where it is of another format, or never was built; with `again`, whatever it is.
 * Blocks until it is built.
 */
export function buildIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState, again = false): void {
  if (!again && isIndexed(db)) return
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'))
  try {
    if (again || !isIndexed(db)) buildNow(db, writer, state)
    db.exec('COMMIT')
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** Keeps other weights and builds the index by them; see `Storage.setSearchWeights`. */
export function setSearchWeights(
  db: DatabaseSync,
  writer: IndexWriter,
  state: StoreState,
  weights: SearchWeights,
): MaybePromise<void> {
  const text = textOfWeights(weights)
  if (withFaults(() => state.metadata(WEIGHTS_KEY))?.value === text) return
  return writing(db, () => {
    state.advance(new Map(), { [WEIGHTS_KEY]: text })
    buildNow(db, writer, state)
  })
}

function buildNow(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  clearIndex(db)
  const weights = state.searchWeights()
  writer.build(documentsOf(db, weights))
}

/** Every entity as an index has it that is built by these weights. Damaged ones are in none: `onDamaged` hears of them. */
export function* documentsOf(
  db: DatabaseSync,
  weights: SearchWeights,
  onDamaged: () => void = () => {},
): Generator<SearchDocument> {
  for (const found of readingsOf(db)) {
    if (found === 'damaged') onDamaged()
    else yield documentFromJson(found.type, found.json, weights)
  }
}

/** Every entity, ascending by type, then id. */
export function* readingsOf(db: DatabaseSync): Generator<StoredEntity | 'damaged'> {
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const row of rows.iterate()) yield readingFrom(...row)
}
