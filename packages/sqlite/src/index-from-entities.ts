/** Builds the search index from the entities, by the rules of attributes. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexRules, NamedValues, StoredEntity } from '@worldwright/core/store'
import { RULES_KEY } from '@worldwright/core/store'
import type { IndexWriter, SearchDocument } from '@worldwright/search'
import { documentFromJson } from '@worldwright/search/entities'
import { readEntityFrom } from './checksum.ts'
import { query } from './row-query.ts'
import { clearIndex, isIndexed } from './segments.ts'
import type { Advance, StoreState } from './store-state.ts'
import { retryWhileBusy, rollBack, writingIfFree } from './transaction.ts'

/** Maximum entities of a small store: its index is built in unnoticeable time. */
const BUILT_AT_ONCE = 2_000

/**
 * Builds the index of a small store if it was given up, is of another format or never was built. That of a large one is left to
 * `IndexRebuild`, so that a store opens at once.
 */
export function buildSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!isIndexed(db) && isSmall(state)) buildIndex(db, writer, state)
}

/**
 * After a write: rebuilds the index of a small store if the write left it inexact. That of a large one is left to
 * `IndexRebuild`, as is a rebuild that other connections prevent now.
 */
export function mendSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!writer.isInexact || !isSmall(state)) return
  try {
    writingIfFree(db, () => buildNow(db, writer, state))
  } catch {}
}

/** Builds the index from the entities, whatever its state. Blocks until it is built. */
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

/** Components that the index of a store is built with. */
export interface IndexParts {
  readonly db: DatabaseSync
  readonly writer: IndexWriter
  readonly state: StoreState
}

/** Ends a write as `StoreState.advance` does. If it stores other rules, the index is rebuilt by them, which blocks. */
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

/** Yields every entity as a document, by these rules. Damaged ones are left out, and `onDamaged` is called for each. */
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

/** Yields every entity, ascending by type, then id. */
export function* readingsOf(db: DatabaseSync): Generator<StoredEntity | 'damaged'> {
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const row of rows.iterate()) yield readEntityFrom(...row)
}
