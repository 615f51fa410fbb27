/** Builds the search index from the entities and the index rules. */
import type { DatabaseSync } from 'node:sqlite'
import { type IndexRules, type NamedValues, RULES_KEY, type StoredEntity } from '@worldwright/core/store'
import type { IndexWriter, SearchDocument } from '@worldwright/search'
import { documentFromJson } from '@worldwright/search/entities'
import { readEntityFrom } from './checksum.ts'
import { query } from './row-query.ts'
import { clearIndex, isIndexed } from './segments.ts'
import type { Advance, StoreState } from './store-state.ts'
import { retryWhileBusy, rollBack, writingIfFree } from './transaction.ts'

/** Maximum number of entities in a small store, whose index can be built without a noticeable delay. */
const BUILT_AT_ONCE = 2_000

/**
 * Builds the index of a small store if it was discarded, has another format or was never built. A large store's index is
 * left to `IndexRebuild`, so that opening the store is not delayed.
 */
export function buildSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!isIndexed(db) && isSmall(state)) buildIndex(db, writer, state)
}

/**
 * Rebuilds the index of a small store if a write left it inexact. Leaves it to `IndexRebuild` if the store is large or
 * another connection holds the lock.
 */
export function mendSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!writer.isInexact || !isSmall(state)) return
  try {
    writingIfFree(db, () => buildNow(db, writer, state))
  } catch {}
}

/** Builds the index from the entities, replacing any existing index. Blocks until it is built. */
export function buildIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'))
  try {
    buildNow(db, writer, state)
    db.exec('COMMIT')
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** Components needed to build a store's index. */
export interface IndexParts {
  readonly db: DatabaseSync
  readonly writer: IndexWriter
  readonly state: StoreState
}

/** Ends a write as `StoreState.advance` does. If the write changes the index rules, rebuilds the index, which blocks. */
export function endWrite(
  { db, writer, state }: IndexParts,
  growth: ReadonlyMap<string, number>,
  values: NamedValues = {},
  followed?: Advance,
): void {
  const before = state.value(RULES_KEY)
  state.advance(growth, values, followed)
  if (state.value(RULES_KEY) !== before) buildNow(db, writer, state)
}

function isSmall(state: StoreState): boolean {
  const counts = state.types().values()
  return counts.reduce((sum, { count }) => sum + count, 0) <= BUILT_AT_ONCE
}

function buildNow(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  clearIndex(db)
  const rules = state.indexRules()
  writer.build(documentsOf(db, rules))
}

/** Yields every entity as a document under `rules`. Skips damaged entities, and calls `onDamaged` for each of them. */
export function* documentsOf(
  db: DatabaseSync,
  rules: IndexRules,
  onDamaged: () => void = () => {},
): Generator<SearchDocument> {
  for (const found of readingsOf(db)) {
    if (found === 'damaged') onDamaged()
    else yield documentFromJson(found.type, found.json, rules)
  }
}

/** Yields every entity, or `damaged` in its place, ascending by type, then id. */
export function* readingsOf(db: DatabaseSync): Generator<StoredEntity | 'damaged'> {
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const row of rows.iterate()) yield readEntityFrom(...row)
}
