/** The entities' own table: every change of an entity goes through here. */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredEntity } from '../contract.ts'
import { query } from './row-query.ts'

/** Statements over the entities, each within the transaction it is called in. */
export type EntityRows = ReturnType<typeof entityRows>

const REPLACE = `ON CONFLICT (type, id) DO UPDATE
  SET revision = excluded.revision, json = excluded.json, number = excluded.number`

/** Prepares the statements over the entities. */
export function entityRows(db: DatabaseSync) {
  const one = query<[string, string]>(db, 'SELECT revision, json FROM entities WHERE type = ? AND id = ?')
  const page = query<[string, string, string]>(
    db,
    'SELECT id, revision, json FROM entities WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const put = db.prepare(
    `INSERT INTO entities (type, id, revision, json, number) VALUES (?, ?, ?, ?, ?) ${REPLACE}`,
  )
  const remove = db.prepare('DELETE FROM entities WHERE type = ? AND id = ?')
  // As `storedFrom` writes it, without taking every row through this process.
  const putStaged = db.prepare(
    `INSERT INTO entities (type, id, revision, json, number)
     SELECT s.type, s.id, s.revision, substr(s.content, 1, length(s.content) - 1) || ',"createdAt":"' ||
       coalesce(json_extract(e.json, '$.createdAt'), ?2) || '","updatedAt":"' || ?2 || '","revision":"' ||
       s.revision || '"}', ?3
     FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
     WHERE s.import = ?1 AND e.revision IS NOT s.revision AND s.revision <> ''
     ${REPLACE}`,
  )
  const deleteMissing = db.prepare(
    `DELETE FROM entities WHERE type = ?2 AND NOT EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = entities.type AND s.id = entities.id
     )`,
  )
  const putFollowed = db.prepare(
    `INSERT INTO entities (type, id, revision, json, number)
     SELECT type, id, revision, content, number FROM staged WHERE import = ? AND content <> '' ${REPLACE}`,
  )
  const deleteFollowed = db.prepare(
    `DELETE FROM entities WHERE (type, id) IN (SELECT type, id FROM staged WHERE import = ? AND content = '')`,
  )
  return {
    get(type: string, id: string): StoredEntity | undefined {
      const row = one.get(type, id)
      return row && { type, id, revision: row[0], json: row[1] }
    },
    /** Up to `limit` entities after `after`, ascending by id; from the first on, where `after` is empty. */
    after: (type: string, after: string, limit: number): StoredEntity[] =>
      page.all(type, after, limit).map(([id, revision, json]) => ({ type, id, revision, json })),
    /** `number`: of the write, as below. */
    put: ({ type, id, revision, json }: StoredEntity, number: number) =>
      void put.run(type, id, revision, json, number),
    delete: (type: string, id: string) => void remove.run(type, id),
    /** Puts all that an import staged and that differs in place, at a moment (RFC 3339). */
    putStaged: (importNumber: number, at: string, number: number) =>
      void putStaged.run(importNumber, at, number),
    /** Deletes the entities of a type that an import did not stage. */
    deleteMissing: (importNumber: number, type: string) => void deleteMissing.run(importNumber, type),
    /** Puts and deletes what was staged of another store, as it is there. */
    applyFollowed(importNumber: number) {
      putFollowed.run(importNumber)
      deleteFollowed.run(importNumber)
    },
  }
}
