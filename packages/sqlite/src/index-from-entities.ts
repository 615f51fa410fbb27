/** What the search index needs beside writes and merges: to be built, by the rules of attributes. */
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

/** The index of so many entities is built in less time than anybody notices. */
const BUILT_AT_ONCE = 2_000

/**
 * Builds the index of a small store where it was given up, is of another format or never was built. That of a large one is
 * for `IndexRebuild`, so that a store is open at once.
 */
export function buildSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!isIndexed(db) && isSmall(state)) buildIndex(db, writer, state)
}

/**
 * After a write: builds the index of a small store again where the write left it inexact. That of a large one is for
 * `IndexRebuild`, as is what others keep from being done now.
 */
export function mendSmallIndex(db: DatabaseSync, writer: IndexWriter, state: StoreState): void {
  if (!writer.isInexact || !isSmall(state)) return
  try {
    writingIfFree(db, () => buildNow(db, writer, state))
  } catch {}
}

/** Builds the index from the entities, whatever it is. Blocks until it is built. */
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

/** What the index of a store is built with. */
export interface IndexParts {
  readonly db: DatabaseSync
  readonly writer: IndexWriter
  readonly state: StoreState
}

/** Ends a write as `StoreState.advance` does. Where it keeps other rules, the index is built again by them, which blocks. */
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

/** Every entity as an index has it that is built by these rules. Damaged ones are in none: `onDamaged` hears of them. */
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

/** Every entity, ascending by type, then id. */
export function* readingsOf(db: DatabaseSync): Generator<StoredEntity | 'damaged'> {
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const row of rows.iterate()) yield readEntityFrom(...row)
}
