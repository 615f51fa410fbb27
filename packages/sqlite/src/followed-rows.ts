/** Staged upstream changes, kept in a temporary file until they are committed. */
import type { DatabaseSync } from 'node:sqlite'
import { type EntityChange, epochOf, type FollowedChange, numberOf } from '@worldwright/core/store'
import { checksumOf } from './checksum.ts'
import { query } from './row-query.ts'
import { type ComparedRow, changesIn, deletionsIn, type MissingRow } from './staged-changes.ts'
import { REPLACE } from './staged-rows.ts'
import { attachTemporary } from './temporary-file.ts'

/** Number of files attached so far. Makes schema names unique within a connection. */
let attached = 0

/** Keeps changes in a temporary file until they are committed. */
export class FollowedRows {
  readonly #db: DatabaseSync
  readonly #schema: string
  readonly #sql

  /** Creates an empty temporary file beside the store. Must not be called in a transaction. */
  constructor(db: DatabaseSync, store: string) {
    this.#db = db
    attached += 1
    this.#schema = `followed${attached}`
    attachTemporary(
      db,
      store,
      this.#schema,
      `CREATE TABLE ${this.#schema}.changes (
        type TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, json TEXT NOT NULL, number INTEGER NOT NULL,
        checksum INTEGER NOT NULL, PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID`,
    )
    this.#sql = statements(db, `${this.#schema}.changes`)
  }

  /** Adds a change. Returns the JSON of the change it replaces (empty for a deletion), or undefined if it is new. */
  put({ type, id, entity, position }: FollowedChange): string | undefined {
    const { revision = '', json = '' } = entity ?? {}
    const number = numberOf(epochOf(position), position) ?? 0
    const row = [type, id, revision, json, number, checksumOf(type, id, revision, json)] as const
    if (this.#sql.add.run(...row).changes === 1) return undefined
    const [earlier = ''] = this.#sql.json.get(type, id) ?? []
    this.#sql.replace.run(...row)
    return earlier
  }

  /** Yields the effect on each entity, in batches. `before` and `after` are both undefined if the entity does not change. */
  changes(): Generator<readonly EntityChange[]> {
    return changesIn((type, id) => this.#sql.compared.iterate(type, id))
  }

  /** Yields deletions of the stored entities of these types that have no staged change, in batches. */
  missing(types: readonly string[]): Generator<readonly EntityChange[]> {
    return deletionsIn(types, (type, id) => this.#sql.missing.iterate(type, id))
  }

  /** Deletes the stored entities of a type that have no staged change. */
  deleteMissing(type: string): void {
    this.#sql.deleteMissing.run(type)
  }

  /** Applies all changes. `at` is recorded as the time of deletions, in milliseconds since 1970. */
  apply(at: number): void {
    for (const statement of [this.#sql.put, this.#sql.delete, this.#sql.forgetDeletions]) statement.run()
    this.#sql.recordDeletions.run(at)
  }

  /** Detaches the file, outside any transaction. An unfinished iteration delays this until the connection closes. */
  close(): void {
    try {
      if (this.#db.isOpen) this.#db.exec(`DETACH ${this.#schema}`)
    } catch {}
  }
}

function statements(db: DatabaseSync, changes: string) {
  const isNamed = `SELECT 1 FROM ${changes} c WHERE c.type = e.type AND c.id = e.id`
  return {
    add: db.prepare(`INSERT OR IGNORE INTO ${changes} VALUES (?, ?, ?, ?, ?, ?)`),
    replace: db.prepare(`INSERT OR REPLACE INTO ${changes} VALUES (?, ?, ?, ?, ?, ?)`),
    json: query<[string]>(db, `SELECT json FROM ${changes} WHERE type = ? AND id = ?`),
    compared: query<ComparedRow>(
      db,
      `SELECT c.id, e.revision, CASE WHEN e.json IS NOT c.json THEN e.json END, e.checksum,
         c.type, CASE WHEN e.json IS NOT c.json AND c.json <> '' THEN c.json END, 0
       FROM ${changes} c LEFT JOIN entities e ON e.type = c.type AND e.id = c.id
       WHERE (c.type, c.id) > (?, ?) ORDER BY c.type, c.id`,
    ),
    missing: query<MissingRow>(
      db,
      `SELECT id, revision, CASE WHEN NOT EXISTS (${isNamed}) THEN json END, checksum
       FROM entities e WHERE type = ? AND id > ? ORDER BY id`,
    ),
    deleteMissing: db.prepare(`DELETE FROM entities AS e WHERE type = ? AND NOT EXISTS (${isNamed})`),
    put: db.prepare(
      `INSERT INTO entities (type, id, revision, json, number, checksum)
       SELECT type, id, revision, json, number, checksum FROM ${changes} WHERE json <> '' ${REPLACE}`,
    ),
    delete: db.prepare(
      `DELETE FROM entities WHERE (type, id) IN (SELECT type, id FROM ${changes} WHERE json = '')`,
    ),
    forgetDeletions: db.prepare(`DELETE FROM deletions AS e WHERE EXISTS (${isNamed} AND c.json <> '')`),
    recordDeletions: db.prepare(
      `INSERT OR REPLACE INTO deletions (type, id, number, deleted_at)
       SELECT type, id, number, ? FROM ${changes} WHERE json = ''`,
    ),
  }
}
