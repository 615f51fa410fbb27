/**
 * Rebuilds a search index in the background. Meanwhile, searches fail if the old index is damaged or has another format; if
 * only its counts are inexact, they use it. Reads and writes continue.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { type EntityChange, type StoredEntity, textOfRules } from '@worldwright/core/store'
import type { IndexWriter, UnpublishedSegment } from '@worldwright/search'
import { IndexChanges, jsonOf } from '@worldwright/search/entities'
import { batchOf } from './batch.ts'
import { connectReader } from './connect.ts'
import { entityRows } from './entity-rows.ts'
import { IndexBuild } from './index-build.ts'
import { readingsOf } from './index-from-entities.ts'
import { query } from './row-query.ts'
import { clearIndex, isIndexed, markUnindexed } from './segments.ts'
import { withFaults } from './sqlite-faults.ts'
import { type StoreState, storeState } from './store-state.ts'
import { writing } from './transaction.ts'

/** Minimum pause after a rebuild, in milliseconds, since a failing disk would damage the next index as well. */
const PAUSE_MS = 10_000

/** Components needed for a rebuild. */
export interface RebuildParts {
  readonly db: DatabaseSync
  readonly file: string
  readonly state: StoreState
  readonly writer: IndexWriter
}

/** Rebuilds the index of one store, one rebuild at a time. */
export class IndexRebuild {
  readonly #parts: RebuildParts
  #running = false
  #notBefore = 0

  constructor(parts: RebuildParts) {
    this.#parts = parts
  }

  /**
   * Discards the index, unless that has been done, and starts to rebuild it. Does nothing during a rebuild and the pause
   * after it: the next failing search and the next write call this method again.
   */
  begin(): void {
    this.#begin(false)
  }

  /** Starts a rebuild if the index is missing or inexact. An inexact index is used until the new one replaces it. */
  beginIfDue(): void {
    const { db, writer } = this.#parts
    const isThere = isIndexed(db)
    if (!isThere || writer.isInexact) this.#begin(isThere)
  }

  #begin(keepsOld: boolean): void {
    const now = performance.now()
    if (this.#running || now < this.#notBefore) return
    this.#running = true
    this.#run(keepsOld)
      // A discarded index stays discarded, which every search reports. The next call tries again.
      .catch(() => {})
      .finally(() => {
        this.#running = false
        this.#notBefore = performance.now() + PAUSE_MS
      })
  }

  async #run(keepsOld: boolean): Promise<void> {
    const { db, file, writer } = this.#parts
    // Waits for a turn, because a transaction may be open.
    await turn()
    if (!db.isOpen) return
    if (!keepsOld)
      await writing(db, () => {
        markUnindexed(db)
        writer.forget()
      })
    // The build reads a snapshot. Later writes are added at the end, by comparison with it.
    const past = connectReader(file)
    try {
      past.exec('BEGIN')
      await this.#build(past)
    } finally {
      past.close()
    }
  }

  async #build(past: DatabaseSync): Promise<void> {
    const { db, writer } = this.#parts
    const rules = storeState(past).indexRules()
    const build = new IndexBuild(db, writer, rules)
    try {
      const entities = readingsOf(past)
      for (;;) {
        if (!db.isOpen) return
        const batch = withFaults(() => batchOf(taken(entities), (found) => [jsonOf(found)]))
        if (batch.length === 0) break
        await build.add(batch.flatMap(added))
        await turn()
      }
      const segments = await build.finish()
      if (!(await writing(db, () => this.#publish(past, segments)))) await build.discard()
    } catch (error) {
      await build.discard().catch(() => {})
      throw error
    }
  }

  /** Publishes the index with the changes since the snapshot. Returns false if the index is no longer needed or valid. */
  #publish(past: DatabaseSync, segments: readonly UnpublishedSegment[]): boolean {
    const { db, state, writer } = this.#parts
    const before = storeState(past)
    const { epoch, number } = before.history()
    const rules = state.indexRules()
    // Another process may have rebuilt the index meanwhile.
    if ((isIndexed(db) && !writer.isInexact) || state.history().epoch !== epoch) return false
    if (textOfRules(rules) !== textOfRules(before.indexRules())) return false
    clearIndex(db)
    writer.forget()
    for (const segment of segments) writer.publish(segment)
    const changes = new IndexChanges(writer, rules)
    const [old, now] = [entityRows(past), entityRows(db)]
    for (const [type, id] of changedSince(db, number)) {
      const after = jsonOf(now.get(type, id)) || undefined
      changes.note({ type, id, before: jsonOf(old.get(type, id)), after })
    }
    changes.finish()
    return true
  }
}

/** Returns the keys of the entities written or deleted after the write with this number. */
function changedSince(db: DatabaseSync, number: number) {
  return query<[type: string, id: string]>(
    db,
    `SELECT type, id FROM entities INDEXED BY entities_by_number WHERE number > ?1
     UNION ALL SELECT type, id FROM deletions INDEXED BY deletions_by_number WHERE number > ?1`,
  ).iterate(number)
}

/** Returns the change that adds an entity to the index, or an empty array for a damaged entity, which is never served. */
function added(found: StoredEntity | 'damaged'): EntityChange[] {
  if (found === 'damaged') return []
  return [{ type: found.type, id: found.id, before: undefined, after: found.json }]
}

/** Yields the remaining items. Unlike a `for` loop over `all`, leaving the loop early does not close `all`. */
function* taken<T>(all: Iterator<T>): Generator<T> {
  for (let next = all.next(); !next.done; next = all.next()) yield next.value
}
