/** Changes of an upstream that wait for their commit, in a file of their own, which is deleted with them. */
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { EntityChange, FollowedChange } from '@worldwright/core/store'
import { epochOf, numberOf } from '@worldwright/core/store'
import { checksumOf } from './checksum.ts'
import { CACHE_KIB, PAGE_BYTES } from './connect.ts'
import { makePrivate } from './files.ts'
import { query } from './row-query.ts'
import { type ComparedRow, changesIn, deletionsIn, type MissingRow } from './staged-changes.ts'
import { REPLACE } from './staged-rows.ts'

/** Number of files attached so far, which makes their names unique in a connection. */
let attached = 0

/**
 * Holds changes outside of the store's file, where they would go through its log, and leave as much unused room behind. The
 * file is beside it, since both need about the same room, and is unlinked as soon as it is open, so that nothing is left after
 * a crash. No other connection opens it: writing to it takes no lock of the store.
 */
export class FollowedRows {
  readonly #db: DatabaseSync
  readonly #schema: string
  readonly #sql

  /** Creates an empty file beside the store's, outside of a transaction. */
  constructor(db: DatabaseSync, store: string) {
    this.#db = db
    attached += 1
    this.#schema = `followed${attached}`
    const path = `${store}-followed`
    rmSync(path, { force: true })
    makePrivate(path)
    try {
      db.prepare(`ATTACH ? AS ${this.#schema}`).run(path)
      db.exec(`PRAGMA ${this.#schema}.page_size = ${PAGE_BYTES}; PRAGMA ${this.#schema}.cache_size = -${CACHE_KIB};
        PRAGMA ${this.#schema}.journal_mode = MEMORY; PRAGMA ${this.#schema}.synchronous = OFF;
        CREATE TABLE ${this.#schema}.changes (
          type TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, json TEXT NOT NULL, number INTEGER NOT NULL,
          checksum INTEGER NOT NULL, PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID`)
    } finally {
      rmSync(path, { force: true })
    }
    this.#sql = statements(db, `${this.#schema}.changes`)
  }

  /** Adds a change. If it replaces an earlier one of the same entity, returns the JSON of that one, empty for a deletion. */
  put({ type, id, entity, position }: FollowedChange): string | undefined {
    const { revision = '', json = '' } = entity ?? {}
    const number = numberOf(epochOf(position), position) ?? 0
    const row = [type, id, revision, json, number, checksumOf(type, id, revision, json)] as const
    if (this.#sql.add.run(...row).changes === 1) return undefined
    const [earlier = ''] = this.#sql.json.get(type, id) ?? []
    this.#sql.replace.run(...row)
    return earlier
  }

  /** Yields the effect on each entity, in batches; `before` and `after` are both undefined if there is none. */
  changes(): Generator<readonly EntityChange[]> {
    return changesIn((type, id) => this.#sql.compared.iterate(type, id))
  }

  /** Yields the deletions of the stored entities of these types that no change names, in batches. */
  missing(types: readonly string[]): Generator<readonly EntityChange[]> {
    return deletionsIn(types, (type, id) => this.#sql.missing.iterate(type, id))
  }

  /** Deletes the stored entities of a type that no change names. */
  deleteMissing(type: string): void {
    this.#sql.deleteMissing.run(type)
  }

  /** Applies all changes, with their deletions, at a moment in milliseconds since 1970. */
  apply(at: number): void {
    for (const statement of [this.#sql.put, this.#sql.delete, this.#sql.forgetDeletions]) statement.run()
    this.#sql.recordDeletions.run(at)
  }

  /** Detaches the file, outside of a transaction. If an iteration was left half way, it goes with the connection. */
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
