/**
 * Building a search index again that is damaged or of another format, beside everything else: searches fail until it is there,
 * reads and writes go on.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { IndexWriter, UnpublishedSegment } from '../../search/write/index-writer.ts'
import { type EntityChange, IndexChanges } from '../index-changes.ts'
import { textOfRules } from '../index-rules.ts'
import { batchOf } from './batch.ts'
import { connectReader } from './connect.ts'
import { entityIn } from './entity-problem.ts'
import { IndexBuild } from './index-build.ts'
import { query } from './row-query.ts'
import { isIndexed, markIndexed, markUnindexed } from './segments.ts'
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
   * Gives the index up, where that has not happened yet, and begins to build it. Nothing happens where it is being built, or
   * was a moment ago: call it again with the next search that fails, and the next write.
   */
  begin(): void {
    const now = performance.now()
    if (this.#running || now < this.#notBefore) return
    this.#running = true
    this.#run()
      // The index stays given up, which every search says; the next call tries again.
      .catch(() => {})
      .finally(() => {
        this.#running = false
        this.#notBefore = performance.now() + PAUSE_MS
      })
  }

  async #run(): Promise<void> {
    const { db, file, writer } = this.#parts
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
      const entities = query<Row>(past, 'SELECT type, id, json FROM entities ORDER BY type, id').iterate()
      const rows = Iterator.from(entities)
      for (;;) {
        if (!db.isOpen) return
        const batch = withFaults(() => batchOf(taken(rows), ([, , json]) => [json]))
        if (batch.length === 0) break
        await build.add(batch.filter(isReadable).map(added))
        await turn()
      }
      const segment = await build.finish()
      if (!(await writing(db, () => this.#publish(past, segment)))) await build.discard()
    } catch (error) {
      await build.discard().catch(() => {})
      throw error
    }
  }

  /** Puts the index in place, with what changed since. False where it is of no use any more. */
  #publish(past: DatabaseSync, segment: UnpublishedSegment): boolean {
    const { db, state, writer } = this.#parts
    const before = storeState(past)
    const { epoch, number } = before.history()
    const rules = state.indexRules()
    if (isIndexed(db) || state.history().epoch !== epoch) return false
    if (textOfRules(rules) !== textOfRules(before.indexRules())) return false
    markIndexed(db)
    writer.publish(segment)
    const changes = new IndexChanges(writer, rules)
    const old = query<[string]>(past, 'SELECT json FROM entities WHERE type = ? AND id = ?')
    for (const [type, id, after] of changedSince(db, number)) {
      const known = old.get(type, id)?.[0]
      const readable = known !== undefined && entityIn(known) !== undefined ? known : undefined
      changes.note({ type, id, before: readable, after: after ?? undefined })
    }
    changes.finish()
    return true
  }
}

type Row = readonly [type: string, id: string, json: string]

/** What was written or deleted after a number; null: deleted. */
function changedSince(db: DatabaseSync, number: number) {
  return query<[string, string, string | null]>(
    db,
    `SELECT type, id, json FROM entities INDEXED BY entities_by_number WHERE number > ?1
     UNION ALL SELECT type, id, NULL FROM deletions INDEXED BY deletions_by_number WHERE number > ?1`,
  ).iterate(number)
}

/** What cannot be read cannot be served, and so it need not be found. */
function isReadable([, , json]: Row): boolean {
  return entityIn(json) !== undefined
}

function added([type, id, after]: Row): EntityChange {
  return { type, id, before: undefined, after }
}

/** Rows that can be taken a part at a time: a loop that is left would end the iterator. */
function* taken(rows: Iterator<Row>): Generator<Row> {
  for (let next = rows.next(); !next.done; next = rows.next()) yield next.value
}
