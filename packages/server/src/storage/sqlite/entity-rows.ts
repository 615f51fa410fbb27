/** The entities' own table. */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredEntity } from '../contract.ts'
import { query } from './query.ts'

/** Statements over the entities, each within the transaction it is called in. */
export interface EntityRows {
  get(type: string, id: string): StoredEntity | undefined
  /** Up to `limit` entities after `after`, ascending by id; from the first on, where `after` is empty. */
  after(type: string, after: string, limit: number): StoredEntity[]
  put(entity: StoredEntity): void
  delete(type: string, id: string): void
}

/** Prepares the statements. */
export function entityRows(db: DatabaseSync): EntityRows {
  const one = query<[string, string]>(db, 'SELECT revision, json FROM entities WHERE type = ? AND id = ?')
  const page = query<[string, string, string]>(
    db,
    'SELECT id, revision, json FROM entities WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const put = db.prepare(
    `INSERT INTO entities (type, id, revision, json) VALUES (?, ?, ?, ?)
     ON CONFLICT (type, id) DO UPDATE SET revision = excluded.revision, json = excluded.json`,
  )
  const remove = db.prepare('DELETE FROM entities WHERE type = ? AND id = ?')
  return {
    get(type, id) {
      const row = one.get(type, id)
      return row && { type, id, revision: row[0], json: row[1] }
    },
    after: (type, after, limit) =>
      page.all(type, after, limit).map(([id, revision, json]) => ({ type, id, revision, json })),
    put({ type, id, revision, json }) {
      put.run(type, id, revision, json)
    },
    delete(type, id) {
      remove.run(type, id)
    },
  }
}
