/**
 * Building a search index again, beside everything else. Until it is there, searches fail where the old one is damaged or of
 * another format, and ask the old one where only its counts are not exact. Reads and writes go on.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { EntityChange, StoredEntity } from '@worldwright/core/store'
import { textOfRules } from '@worldwright/core/store'
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

/** A damaged disk damages the next index as well: it is not built all the time, in milliseconds. */
const PAUSE_MS = 10_000

/** What a rebuild works on. */
export interface RebuildParts {
  readonly db: DatabaseSync
  readonly file: string
  readonly state: StoreState
  readonly writer: IndexWriter
}

/** The rebuilding of one store's index, one at a time. */
export class IndexRebuild {
  readonly #parts: RebuildParts
  #running = false
  #notBefore = 0

  constructor(parts: RebuildParts) {
    this.#parts = parts
  }

  /**
   * Gives the index up, if that has not happened yet, and begins to build it. Nothing happens where it is being built, or
   * was a moment ago: call it again with the next search that fails, and the next write.
   */
  begin(): void {
    this.#begin(false)
  }

  /** Begins where there is no index, or one that is inexact, which is asked until the new one takes its place. */
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
      // The index stays given up, which every search says; the next call tries again.
      .catch(() => {})
      .finally(() => {
        this.#running = false
        this.#notBefore = performance.now() + PAUSE_MS
      })
  }

  async #run(keepsOld: boolean): Promise<void> {
    const { db, file, writer } = this.#parts
    // A transaction may be open.
    await turn()
    if (!db.isOpen) return
    if (!keepsOld)
      await writing(db, () => {
        markUnindexed(db)
        writer.forget()
      })
    // What is written meanwhile is not in the index: it is added at the end, from what was there at the beginning.
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
      const segment = await build.finish()
      if (!(await writing(db, () => this.#publish(past, segment)))) await build.discard()
    } catch (error) {
      await build.discard().catch(() => {})
      throw error
    }
  }

  /** Puts the index in place, with what changed since. False if it is of no use any more. */
  #publish(past: DatabaseSync, segment: UnpublishedSegment): boolean {
    const { db, state, writer } = this.#parts
    const before = storeState(past)
    const { epoch, number } = before.history()
    const rules = state.indexRules()
    // Others may have built it meanwhile.
    if ((isIndexed(db) && !writer.isInexact) || state.history().epoch !== epoch) return false
    if (textOfRules(rules) !== textOfRules(before.indexRules())) return false
    clearIndex(db)
    writer.forget()
    writer.publish(segment)
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

/** The keys of what was written or deleted after a number. */
function changedSince(db: DatabaseSync, number: number) {
  return query<[type: string, id: string]>(
    db,
    `SELECT type, id FROM entities INDEXED BY entities_by_number WHERE number > ?1
     UNION ALL SELECT type, id FROM deletions INDEXED BY deletions_by_number WHERE number > ?1`,
  ).iterate(number)
}

/** What is damaged is not served, and so it need not be found. */
function added(found: StoredEntity | 'damaged'): EntityChange[] {
  if (found === 'damaged') return []
  return [{ type: found.type, id: found.id, before: undefined, after: found.json }]
}

/** What can be taken a part at a time: a loop that is left would end the iterator. */
function* taken<T>(all: Iterator<T>): Generator<T> {
  for (let next = all.next(); !next.done; next = all.next()) yield next.value
}
