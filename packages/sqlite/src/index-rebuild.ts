/**
 * Rebuilds a search index in the background. Until it is ready, searches fail if the old one is damaged or of another format,
 * and use the old one if only its counts are inexact. Reads and writes go on.
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

/** Pause after a rebuild, in milliseconds: a damaged disk damages the next index as well. */
const PAUSE_MS = 10_000

/** Components that a rebuild works with. */
export interface RebuildParts {
  readonly db: DatabaseSync
  readonly file: string
  readonly state: StoreState
  readonly writer: IndexWriter
}

/** Rebuilds one store's index, one time after the other. */
export class IndexRebuild {
  readonly #parts: RebuildParts
  #running = false
  #notBefore = 0

  constructor(parts: RebuildParts) {
    this.#parts = parts
  }

  /**
   * Gives the index up, if that has not happened yet, and begins to build it. Does nothing while it is being built, and shortly
   * after that: call it again with the next search that fails, and the next write.
   */
  begin(): void {
    this.#begin(false)
  }

  /** Begins if there is no index, or an inexact one, which is used until the new one takes its place. */
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
      // The index stays given up, which every search reports; the next call tries again.
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
    // Writes from now on are not in the index: they are added at the end, from the state at the beginning.
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

  /** Publishes the index, with the changes since. Returns false if it is no longer of use. */
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

/** Returns the keys of the entities that were written or deleted after a number. */
function changedSince(db: DatabaseSync, number: number) {
  return query<[type: string, id: string]>(
    db,
    `SELECT type, id FROM entities INDEXED BY entities_by_number WHERE number > ?1
     UNION ALL SELECT type, id FROM deletions INDEXED BY deletions_by_number WHERE number > ?1`,
  ).iterate(number)
}

/** Damaged entities are not served, and so need not be found. */
function added(found: StoredEntity | 'damaged'): EntityChange[] {
  if (found === 'damaged') return []
  return [{ type: found.type, id: found.id, before: undefined, after: found.json }]
}

/** Takes items of an iterator without ending it: a loop over the iterator itself would, when left. */
function* taken<T>(all: Iterator<T>): Generator<T> {
  for (let next = all.next(); !next.done; next = all.next()) yield next.value
}
