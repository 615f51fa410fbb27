/** Import tables: the staged entities, and the process that runs each import. */
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type { EntityChange, EntityKey, PreparedEntity, UnstagedCount } from '@worldwright/core/store'
import { checksumWithoutTimes } from './checksum.ts'
import { heartbeatSeconds } from './import-heartbeat.ts'
import { KEPT } from './precedence-rows.ts'
import { query } from './row-query.ts'
import { type ComparedRow, changesIn, deletionsIn, type MissingRow } from './staged-changes.ts'

/** Statements on staged entities. Methods run in the caller's transaction. */
export class Staging {
  readonly #sql

  constructor(db: DatabaseSync) {
    this.#sql = statements(db)
  }

  /** Begins an import in this process and returns the import's number, which is never reused. */
  begin(): number {
    return Number(this.#sql.begin.run(hostname(), process.pid, heartbeatSeconds()).lastInsertRowid)
  }

  /** Keeps an import from expiring. Must be called every `HEARTBEAT_MS`. Returns false if the import has ended. */
  heartbeat(number: number): boolean {
    return this.#sql.heartbeat.run(heartbeatSeconds(), number).changes === 1
  }

  /** Stages a key whose entity stays as it is; see `KEPT`. Does nothing and returns false if the key is staged already. */
  hold(number: number, { type, id }: EntityKey, content: string, mark?: number): boolean {
    return this.#sql.put.run(number, type, id, '', content, null, mark ?? null).changes === 1
  }

  /** Protects the stored entities with these keys from deletion. */
  protect(number: number, keys: readonly EntityKey[]): void {
    for (const key of keys) this.hold(number, key, KEPT)
  }

  /** Counts, by type, protected stored entities and, for types in `someGo`, stored entities that are not staged. */
  unstaged(number: number, types: readonly string[], someGo: ReadonlySet<string>) {
    return new Map(
      types.map((type): [string, UnstagedCount] => {
        const [kept = 0] = this.#sql.kept.get(number, type) ?? []
        const [missing = 0] = (someGo.has(type) && this.#sql.countMissing.get(number, type)) || []
        return [type, { kept, missing }]
      }),
    )
  }

  /** Stages an entity. Does nothing and returns false if its key is staged already. */
  put(number: number, prepared: PreparedEntity, mark?: number): boolean {
    const { type, id, revision, content } = prepared
    const checksum = checksumWithoutTimes(prepared)
    return this.#sql.put.run(number, type, id, revision, content, checksum, mark ?? null).changes === 1
  }

  /** Returns the mark of the staged entity with a key, or undefined if there is no entity or no mark. */
  markOf(number: number, { type, id }: EntityKey): number | undefined {
    return this.#sql.mark.get(number, type, id)?.[0] ?? undefined
  }

  /** Yields the effect of each staged entity, in batches. If an entity is held back, `before` and `after` are undefined. */
  compared(number: number): Generator<readonly EntityChange[]> {
    return changesIn((type, id) => this.#sql.compared.iterate(number, type, id))
  }

  /** Yields deletions of the stored entities of these types that were not staged, in batches. */
  missing(number: number, types: readonly string[]): Generator<readonly EntityChange[]> {
    return deletionsIn(types, (type, id) => this.#sql.missing.iterate(number, type, id))
  }

  /** Ends an import. Its staged rows are waste from now on. Returns false if the import had already ended. */
  finish(number: number): boolean {
    return this.#sql.finish.run(number).changes === 1
  }
}

function statements(db: DatabaseSync) {
  return {
    begin: db.prepare('INSERT INTO imports (host, process, heartbeat) VALUES (?, ?, ?)'),
    heartbeat: db.prepare('UPDATE imports SET heartbeat = ? WHERE import = ? AND NOT finished'),
    put: db.prepare(
      `INSERT INTO staged (import, type, id, revision, content, checksum, number) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, content = excluded.content,
         checksum = excluded.checksum, number = excluded.number
       WHERE staged.content = '${KEPT}' AND excluded.content <> '${KEPT}'`,
    ),
    mark: query<[number | null]>(db, 'SELECT number FROM staged WHERE import = ? AND type = ? AND id = ?'),
    finish: db.prepare('UPDATE imports SET finished = 1 WHERE import = ? AND NOT finished'),
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
