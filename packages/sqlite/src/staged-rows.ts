/** Applies staged entities to the table of entities. */
import type { DatabaseSync } from 'node:sqlite'
import { changedFrom, type StoredEntity, storedFrom } from '@worldwright/core/store'
import { batchOf } from './batch.ts'
import { readEntityFrom, timesChecksum } from './checksum.ts'
import { lazily, query } from './row-query.ts'

/** SQL clause that replaces an existing entity with the same key. */
export const REPLACE = `ON CONFLICT (type, id) DO UPDATE
  SET revision = excluded.revision, json = excluded.json, number = excluded.number, checksum = excluded.checksum`

/** Prepares the statements. Each runs in the caller's transaction. `put` is used to store a single entity. */
export function stagedRows(db: DatabaseSync, put: (entity: StoredEntity, number: number) => void) {
  // Builds the JSON as `storedFrom` does, without moving every row through this process. (x | y) - (x & y) is XOR.
  const putNew = lazily(() =>
    db.prepare(
      `INSERT INTO entities (type, id, revision, json, number, checksum)
     SELECT type, id, revision, substr(content, 1, length(content) - 1) || ',"createdAt":"' || ?2 ||
       '","updatedAt":"' || ?2 || '","revision":"' || revision || '"}', ?3, (checksum | ?4) - (checksum & ?4)
     FROM staged WHERE import = ?1 AND revision <> '' ON CONFLICT (type, id) DO NOTHING`,
    ),
  )
  const changed = lazily(() =>
    query<[...Parameters<typeof readEntityFrom>, revision: string, content: string]>(
      db,
      `SELECT e.type, e.id, e.revision, e.json, e.checksum, s.revision, s.content
     FROM staged s JOIN entities e ON e.type = s.type AND e.id = s.id
     WHERE s.import = ?1 AND (s.type, s.id) > (?2, ?3) AND s.revision NOT IN (e.revision, '') ORDER BY s.type, s.id`,
    ),
  )
  const blank = db.prepare(`UPDATE entities SET revision = '', json = '{}' WHERE type = ? AND id = ?`)
  const deleteMissing = lazily(() =>
    db.prepare(
      `DELETE FROM entities WHERE type = ?2 AND NOT EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = entities.type AND s.id = entities.id
     )`,
    ),
  )

  function putChanged(importNumber: number, at: string, number: number): void {
    for (let after: readonly [string, string] | undefined = ['', '']; after; ) {
      const rows = changed().iterate(importNumber, ...after)
      const batch = batchOf(rows, ([, , , json, , , content]) => [json, content])
      for (const [type, id, oldRevision, json, checksum, revision, content] of batch) {
        const before = readEntityFrom(type, id, oldRevision, json, checksum)
        const prepared = { type, id, revision, content }
        put(before === 'damaged' ? storedFrom(prepared, at, at) : changedFrom(prepared, before, at), number)
      }
      const last = batch.at(-1)
      after = last && [last[0], last[1]]
    }
  }

  return {
    /** Clears a damaged entity, so that the staged entity that replaces it copies nothing from it. */
    blank: (type: string, id: string) => void blank.run(type, id),
    /** Applies all staged entities of an import that differ from the stored ones. `at` is the commit time (RFC 3339). */
    putStaged(importNumber: number, at: string, number: number): void {
      putChanged(importNumber, at, number)
      putNew().run(importNumber, at, number, timesChecksum(at))
    },
    /** Deletes the entities of a type that an import did not stage. */
    deleteMissing: (importNumber: number, type: string) => void deleteMissing().run(importNumber, type),
  }
}
