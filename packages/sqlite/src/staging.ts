/** Staged entities of imports, compared with the stored ones. */
import type { DatabaseSync } from 'node:sqlite'
import type { EntityChange, EntityKey, PreparedEntity, UnstagedCount } from '@worldwright/core/store'
import { checksumWithoutTimes } from './checksum.ts'
import { KEPT } from './precedence-rows.ts'
import { lazily, query } from './row-query.ts'
import { type ComparedRow, changesIn, deletionsIn, type MissingRow } from './staged-changes.ts'
import { attachTemporary } from './temporary-file.ts'

/** Schema that the staged rows are in while imports run. */
const SCHEMA = 'staging'

const TABLE = `CREATE TABLE ${SCHEMA}.staged (
    import INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, content TEXT NOT NULL,
    number INTEGER, checksum INTEGER, PRIMARY KEY (import, type, id)
  ) STRICT, WITHOUT ROWID`

/** Staged entities of a connection's imports, in a temporary file. All methods but `begin` and `end` need a transaction. */
export class Staging {
  readonly #db: DatabaseSync
  readonly #store: string
  readonly #sql
  readonly #running = new Set<number>()
  #last = 0
  #isAttached = false

  /** `store` is the path of the store. */
  constructor(db: DatabaseSync, store: string) {
    this.#db = db
    this.#store = store
    this.#sql = lazily(() => statements(db))
  }

  /** Begins an import and returns its number, which the connection never reuses. */
  begin(): number {
    if (!this.#isAttached) attachTemporary(this.#db, this.#store, SCHEMA, TABLE)
    this.#isAttached = true
    this.#last += 1
    this.#running.add(this.#last)
    return this.#last
  }

  /** Ends an import. The last one gives the space back, at the latest when the connection closes. */
  end(number: number): void {
    this.#running.delete(number)
    try {
      if (this.#running.size > 0) this.#sql().remove.run(number)
      else {
        this.#db.exec(`DETACH ${SCHEMA}`)
        this.#isAttached = false
      }
    } catch {}
  }

  /** Stages a key whose entity stays as it is; see `KEPT`. Does nothing and returns false if the key is staged already. */
  hold(number: number, { type, id }: EntityKey, content: string, mark?: number): boolean {
    return this.#sql().put.run(number, type, id, '', content, null, mark ?? null).changes === 1
  }

  /** Protects the stored entities with these keys from deletion. */
  protect(number: number, keys: readonly EntityKey[]): void {
    for (const key of keys) this.hold(number, key, KEPT)
  }

  /** Counts, by type, protected stored entities and, for types in `someGo`, stored entities that are not staged. */
  unstaged(number: number, types: readonly string[], someGo: ReadonlySet<string>) {
    return new Map(
      types.map((type): [string, UnstagedCount] => {
        const [kept = 0] = this.#sql().kept.get(number, type) ?? []
        const [missing = 0] = (someGo.has(type) && this.#sql().countMissing.get(number, type)) || []
        return [type, { kept, missing }]
      }),
    )
  }

  /** Stages an entity. Does nothing and returns false if its key is staged already. */
  put(number: number, prepared: PreparedEntity, mark?: number): boolean {
    const { type, id, revision, content } = prepared
    const checksum = checksumWithoutTimes(prepared)
    return this.#sql().put.run(number, type, id, revision, content, checksum, mark ?? null).changes === 1
  }

  /** Returns the mark of the staged entity with a key, or undefined if there is no entity or no mark. */
  markOf(number: number, { type, id }: EntityKey): number | undefined {
    return this.#sql().mark.get(number, type, id)?.[0] ?? undefined
  }

  /** Yields the effect of each staged entity, in batches. If an entity is held back, `before` and `after` are undefined. */
  compared(number: number): Generator<readonly EntityChange[]> {
    return changesIn((type, id) => this.#sql().compared.iterate(number, type, id))
  }

  /** Yields deletions of the stored entities of these types that were not staged, in batches. */
  missing(number: number, types: readonly string[]): Generator<readonly EntityChange[]> {
    return deletionsIn(types, (type, id) => this.#sql().missing.iterate(number, type, id))
  }
}

function statements(db: DatabaseSync) {
  return {
    put: db.prepare(
      `INSERT INTO staged (import, type, id, revision, content, checksum, number) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, content = excluded.content,
         checksum = excluded.checksum, number = excluded.number
       WHERE staged.content = '${KEPT}' AND excluded.content <> '${KEPT}'`,
    ),
    remove: db.prepare('DELETE FROM staged WHERE import = ?'),
    mark: query<[number | null]>(db, 'SELECT number FROM staged WHERE import = ? AND type = ? AND id = ?'),
    compared: query<ComparedRow>(
      db,
      `SELECT s.id, e.revision, CASE WHEN s.revision <> '' THEN e.json END, e.checksum,
         s.type, CASE WHEN s.revision <> '' THEN s.content END, e.revision IS s.revision
       FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
       WHERE s.import = ?1 AND (s.type, s.id) > (?2, ?3) AND s.content NOT IN ('', '${KEPT}') ORDER BY s.type, s.id`,
    ),
    missing: query<MissingRow>(
      db,
      `SELECT id, revision, CASE WHEN NOT EXISTS (
         SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = e.type AND s.id = e.id
       ) THEN json END, checksum FROM entities e WHERE type = ?2 AND id > ?3 ORDER BY id`,
    ),
    kept: query<[number]>(
      db,
      `SELECT count(*) FROM staged s JOIN entities e ON e.type = s.type AND e.id = s.id
       WHERE s.import = ? AND s.type = ? AND s.content = '${KEPT}'`,
    ),
    countMissing: query<[number]>(
      db,
      `SELECT count(*) FROM entities e WHERE type = ?2 AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = e.type AND s.id = e.id
       )`,
    ),
  }
}
