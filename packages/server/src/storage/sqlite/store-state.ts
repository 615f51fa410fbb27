/** Counts, versions and named values: what a store knows about itself without looking at its entities. */
import type { DatabaseSync } from 'node:sqlite'
import type { Notes, TypeState } from '../contract.ts'
import { mintVersion } from '../prepared.ts'
import { query } from './query.ts'

/** Statements over the state, each within the transaction it is called in. */
export interface StoreState {
  /** A type that never had an entity has the count 0 and the store's first version. */
  type(type: string): TypeState
  /** Every type that has, or ever had, an entity; ascending. */
  types(): Map<string, TypeState>
  version(): string
  metadata(key: string): string | undefined
  metadataKeys(prefix: string): string[]
  setMetadata(key: string, value: string | undefined): void
  /** Keeps what a write notes, once all else of it is done. */
  note(notes: Notes | undefined): void
  /** Counts a write: by how many each touched type grew. Gives them, and the store, one new version. */
  advance(growth: ReadonlyMap<string, number>): void
}

/** Prepares the statements. */
export function storeState(db: DatabaseSync): StoreState {
  const one = query<[number, string]>(db, 'SELECT count, version FROM types WHERE type = ?')
  const all = query<[string, number, string]>(db, 'SELECT type, count, version FROM types ORDER BY type')
  const version = query<[string]>(db, 'SELECT version FROM store')
  const epoch = query<[string]>(db, 'SELECT epoch FROM store')
  const value = query<[string]>(db, 'SELECT value FROM metadata WHERE key = ?')
  const keys = query<[string]>(
    db,
    'SELECT key FROM metadata WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key',
  )
  const grow = db.prepare(
    `INSERT INTO types (type, count, version) VALUES (?, ?, ?)
     ON CONFLICT (type) DO UPDATE SET count = count + excluded.count, version = excluded.version`,
  )
  const setVersion = db.prepare('UPDATE store SET version = ?')
  const setValue = db.prepare('INSERT OR REPLACE INTO metadata (key, value) VALUES (?, ?)')
  const unsetValue = db.prepare('DELETE FROM metadata WHERE key = ?')

  function advance(growth: ReadonlyMap<string, number>): void {
    const next = mintVersion()
    for (const [type, delta] of growth) grow.run(type, delta, next)
    setVersion.run(next)
  }

  function setMetadata(key: string, next: string | undefined): void {
    if (metadata(key) === next) return
    if (next === undefined) unsetValue.run(key)
    else setValue.run(key, next)
    advance(new Map())
  }

  const metadata = (key: string) => value.get(key)?.[0]
  const types = () => new Map(all.all().map(([type, count, version]) => [type, { count, version }]))

  return {
    type(type) {
      const row = one.get(type)
      return row ? { count: row[0], version: row[1] } : { count: 0, version: epoch.get()?.[0] ?? '' }
    },
    types,
    version: () => version.get()?.[0] ?? '',
    metadata,
    metadataKeys: (prefix) => keys.all(prefix).map(([key]) => key),
    setMetadata,
    note(notes) {
      if (!notes) return
      for (const [key, next] of Object.entries(notes({ metadata, versions: types }))) setMetadata(key, next)
    },
    advance,
  }
}
