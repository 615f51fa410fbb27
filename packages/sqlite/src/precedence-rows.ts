/** Precedence records: the file-backed types, and their entities that were written through the API. */
import type { DatabaseSync } from 'node:sqlite'
import type { Owned, Precedence, PreparedEntity, Shadowed, StoredEntity } from '@worldwright/core/store'
import { precedenceOf } from '@worldwright/core/store'
import { lazily, query } from './row-query.ts'

/**
 * Content of a staged row for a key in `AddOptions.keep`. Staged rows that change nothing have an empty revision. If the
 * entity was written through the API, their content is the entity's revision in the files, or empty if the files lack it.
 */
export const KEPT = '-'

type Precedences = Readonly<Record<string, Precedence>>

/** The part of an import that affects precedence. */
export interface StagedTypes {
  /** Number of the import. */
  readonly number: number
  /** Types of the staged entities and all replaced types. */
  readonly types: ReadonlySet<string>
  readonly replaced: readonly string[]
}

/** Statements on precedence. Methods run in the caller's transaction. */
export class PrecedenceRows {
  readonly #sql
  readonly #staged

  constructor(db: DatabaseSync) {
    this.#sql = statements(db)
    this.#staged = lazily(() => stagedStatements(db))
  }

  /** Records a write through the API. `before` is the entity that it replaced. */
  noteWrite(type: string, id: string, before: StoredEntity | undefined): void {
    if (this.#isFileType(type)) this.#sql.claim.run(type, id, before?.revision ?? null)
  }

  /** Records a deletion through the API. An entity that files never contained needs no record. */
  noteDeletion({ type, id, revision }: StoredEntity): void {
    if (!this.#isFileType(type)) return
    this.#sql.claim.run(type, id, revision)
    this.#sql.forgetUnfiled.run(type, id)
  }

  /** Returns the file-backed types. */
  fileTypes(): Set<string> {
    return new Set(this.#sql.fileTypes.all().map(([type]) => type))
  }

  /**
   * Reports whether the stored entity or its deletion takes precedence over a different revision in the files. Only for
   * file-backed types.
   */
  stays({ type, id, revision }: PreparedEntity, precedence: Precedence): boolean {
    if (precedence === 'files') return false
    const row = this.#sql.filed.get(type, id)
    return row !== undefined && (precedence === 'api' || row[0] === revision)
  }

  /** Holds back entities staged by an import of files if the stored ones take precedence. */
  holdStaged(number: number, files: Precedences): void {
    for (const [type] of this.#staged().stagedTypes.all(number)) {
      const precedence = precedenceOf(type, files)
      if (precedence === 'api' && !this.#isFileType(type)) this.#staged().holdStored.run(number, type)
      else if (precedence !== 'files') this.#staged().holdOwned.run(number, type, precedence)
    }
  }

  /** Protects entities that take precedence over files. Returns the types in `replace` whose other entities are deleted. */
  keepOwned(number: number, replace: readonly string[], files: Precedences): string[] {
    return replace.filter((type) => {
      const precedence = precedenceOf(type, files)
      if (precedence === 'files') return true
      // All stored entities were written through the API before files contained any of the type.
      if (!this.#isFileType(type)) return false
      this.#staged().keepOwned.run(number, type, precedence)
      return true
    })
  }

  /** Records an import through the API. Must be called before its rows are applied. */
  noteImport({ number, types, replaced }: StagedTypes): void {
    for (const type of types) if (this.#isFileType(type)) this.#staged().claimStaged.run(number, type)
    for (const type of replaced) {
      if (!this.#isFileType(type)) continue
      this.#staged().claimMissing.run(number, type)
      this.#staged().forgetMissing.run(number, type)
    }
  }

  /** Records the content of an import of files. Must be called before its rows are applied. */
  noteFiles({ number, types, replaced }: StagedTypes, files: Precedences): void {
    for (const type of types) {
      if (this.#isFileType(type)) continue
      if (precedenceOf(type, files) !== 'files') this.#staged().claimAll.run(number, type)
      this.#sql.addFileType.run(type)
    }
    if (this.#sql.any.get() === undefined) return
    this.#staged().release.run(number)
    this.#staged().setFiled.run(number)
    for (const type of replaced) this.#staged().settle[precedenceOf(type, files)].run(number, type)
  }

  /** Returns the counts, by type, of entities written through the API, and the first `limit` shadowed entities. */
  owned(limit: number): Owned {
    const types = this.#sql.counts
      .all()
      .map(([type, entities, shadowed]) => [type, { entities, shadowed }] as const)
    const shadowed = this.#sql.shadowed
      .all(limit)
      .map(([type, id, isDeleted]): Shadowed => ({ type, id, isDeleted: isDeleted === 1 }))
    return { types: new Map(types), shadowed }
  }

  #isFileType(type: string): boolean {
    return this.#sql.isFileType.get(type) !== undefined
  }
}

/** SQL condition: the staged row `s` has the same key as the row of `table`. `?1` is the import number. */
const stagedAs = (table: string) => `s.import = ?1 AND s.type = ${table}.type AND s.id = ${table}.id`

/** SQL condition: an entity that the files lack stays. Under `last` (`?3`), only if they lacked it before, too. */
const STAYS = `(?3 = 'api' OR o.filed IS NULL OR o.filed = '')`

function statements(db: DatabaseSync) {
  return {
    any: query<[number]>(db, 'SELECT 1 FROM owned LIMIT 1'),
    isFileType: query<[number]>(db, 'SELECT 1 FROM file_types WHERE type = ?'),
    fileTypes: query<[string]>(db, 'SELECT type FROM file_types'),
    addFileType: db.prepare('INSERT INTO file_types (type) VALUES (?) ON CONFLICT DO NOTHING'),
    filed: query<[string | null]>(db, 'SELECT filed FROM owned WHERE type = ? AND id = ?'),
    claim: db.prepare('INSERT INTO owned (type, id, filed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    forgetUnfiled: db.prepare('DELETE FROM owned WHERE type = ? AND id = ? AND filed IS NULL'),
    counts: query<[string, number, number]>(
      db,
      `SELECT type, count(*), count(nullif(filed, '')) FROM owned GROUP BY type ORDER BY type`,
    ),
    shadowed: query<[string, string, number]>(
      db,
      `SELECT o.type, o.id, e.id IS NULL FROM owned o LEFT JOIN entities e ON e.type = o.type AND e.id = o.id
       WHERE nullif(o.filed, '') IS NOT NULL ORDER BY o.type, o.id LIMIT ?`,
    ),
  }
}

function stagedStatements(db: DatabaseSync) {
  const isMissing = `NOT EXISTS (SELECT 1 FROM staged s WHERE ${stagedAs('owned')} AND s.content <> '')`
  return {
    stagedTypes: query<[string]>(db, 'SELECT DISTINCT type FROM staged WHERE import = ?'),
    holdStored: db.prepare(
      `UPDATE staged AS s SET content = revision, revision = '' WHERE import = ?1 AND type = ?2 AND revision <> '' AND EXISTS (
         SELECT 1 FROM entities e WHERE e.type = s.type AND e.id = s.id AND e.revision <> s.revision
       )`,
    ),
    holdOwned: db.prepare(
      `UPDATE staged AS s SET content = revision, revision = '' WHERE import = ?1 AND type = ?2 AND revision <> ''
         AND NOT EXISTS (
           SELECT 1 FROM entities e WHERE e.type = s.type AND e.id = s.id AND e.revision = s.revision
         ) AND EXISTS (
           SELECT 1 FROM owned o WHERE o.type = s.type AND o.id = s.id AND (?3 = 'api' OR o.filed = s.revision)
         )`,
    ),
    keepOwned: db.prepare(
      `INSERT INTO staged (import, type, id, revision, content)
       SELECT ?1, o.type, o.id, '', '' FROM owned o JOIN entities e ON e.type = o.type AND e.id = o.id
       WHERE o.type = ?2 AND ${STAYS} ON CONFLICT DO NOTHING`,
    ),
    claimStaged: db.prepare(
      `INSERT INTO owned (type, id, filed)
       SELECT s.type, s.id, e.revision FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
       WHERE s.import = ?1 AND s.type = ?2 AND s.revision <> '' AND e.revision IS NOT s.revision
       ON CONFLICT DO NOTHING`,
    ),
    claimMissing: db.prepare(
      `INSERT INTO owned (type, id, filed)
       SELECT type, id, revision FROM entities WHERE type = ?2 AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE ${stagedAs('entities')}
       ) ON CONFLICT DO NOTHING`,
    ),
    forgetMissing: db.prepare(
      `DELETE FROM owned WHERE type = ?2 AND filed IS NULL AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE ${stagedAs('owned')}
       )`,
    ),
    claimAll: db.prepare(
      `INSERT INTO owned (type, id, filed)
       SELECT e.type, e.id, nullif(s.content, '${KEPT}') FROM entities e LEFT JOIN staged s ON ${stagedAs('e')}
       WHERE e.type = ?2 AND (s.revision IS NULL OR s.revision = '') ON CONFLICT DO NOTHING`,
    ),
    release: db.prepare(
      `DELETE FROM owned WHERE EXISTS (
         SELECT 1 FROM staged s WHERE ${stagedAs('owned')} AND s.revision <> ''
       )`,
    ),
    setFiled: db.prepare(
      `UPDATE owned SET filed = s.content FROM staged s
       WHERE ${stagedAs('owned')} AND s.revision = '' AND s.content NOT IN ('', '${KEPT}')`,
    ),
    // Entities that the files lack: `files` deletes them, `last` deletes those that the files contained before.
    settle: {
      api: db.prepare(`UPDATE owned SET filed = '' WHERE type = ?2 AND filed IS NOT NULL AND ${isMissing}`),
      last: db.prepare(
        `DELETE FROM owned WHERE type = ?2 AND filed IS NOT NULL AND filed <> '' AND ${isMissing}`,
      ),
      files: db.prepare(`DELETE FROM owned WHERE type = ?2 AND ${isMissing}`),
    },
  }
}
