/** Stores the entities of result pages, which every engine returns. */
import { DatabaseSync } from 'node:sqlite'
import { readEntities } from '../search/corpus.ts'

/** Members that a store adds to every entity. */
const ADDED = {
  createdAt: '2026-03-01T09:00:00Z',
  updatedAt: '2026-03-01T09:00:00Z',
  revision: 'x'.repeat(22),
}

/** Stores the entities of a file as JSON by key, as a store does. */
export async function buildEntities(path: string, file: URL): Promise<void> {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE e (type TEXT, id TEXT, json TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID; BEGIN`)
  const insert = db.prepare('INSERT INTO e VALUES (?, ?, ?)')
  for await (const entity of readEntities(file))
    insert.run(entity.type, entity.id, JSON.stringify({ ...entity, ...ADDED }))
  db.exec('COMMIT')
  db.close()
}

/** Key of an entity as returned by an index. */
type Key = { readonly type: string; readonly id: string }

/** Returns a function that reads the JSON of entities of one type in one statement, as the store does. */
export function openEntities(path: string): (keys: readonly Key[]) => string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec('PRAGMA cache_size = -65536')
  const read = db.prepare(
    'SELECT e.json FROM json_each(?2) asked CROSS JOIN e ON e.type = ?1 AND e.id = asked.value',
  )
  read.setReturnArrays(true)
  return (keys) => {
    const [first] = keys
    const rows = first ? read.all(first.type, JSON.stringify(keys.map(({ id }) => id))) : []
    return (rows as unknown as [json: string][]).map(([json]) => json)
  }
}
