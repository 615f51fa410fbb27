/** Counts, versions and named values: what a store knows about itself without looking at its entities. */
import type { DatabaseSync } from 'node:sqlite'
import type { Metadata, MetadataRecord, SearchWeights, TypeState } from '../contract.ts'
import { mintVersion } from '../prepared.ts'
import { WEIGHTS_KEY, weightsOfText } from '../weights-metadata.ts'
import { query } from './row-query.ts'

/** Statements over the state, each within the transaction it is called in. */
export type StoreState = ReturnType<typeof storeState>

/** Prepares the statements over counts, versions and named values. */
export function storeState(db: DatabaseSync) {
  const one = query<[number, string]>(db, 'SELECT count, version FROM types WHERE type = ?')
  const all = query<[string, number, string]>(db, 'SELECT type, count, version FROM types ORDER BY type')
  const version = query<[string]>(db, 'SELECT version FROM store')
  const epoch = query<[string]>(db, 'SELECT epoch FROM store')
  const value = query<[string, string]>(db, 'SELECT value, version FROM metadata WHERE key = ?')
  const grow = db.prepare(
    `INSERT INTO types (type, count, version) VALUES (?, ?, ?)
     ON CONFLICT (type) DO UPDATE SET count = count + excluded.count, version = excluded.version`,
  )
  const setVersion = db.prepare('UPDATE store SET version = ?')
  const setValue = db.prepare('INSERT OR REPLACE INTO metadata (key, value, version) VALUES (?, ?, ?)')
  const unsetValue = db.prepare('DELETE FROM metadata WHERE key = ?')

  const current = () => version.get()?.[0] ?? ''

  return {
    /** A type that never had an entity has the count 0 and the store's first version. */
    type(type: string): TypeState {
      const row = one.get(type)
      return row ? { count: row[0], version: row[1] } : { count: 0, version: epoch.get()?.[0] ?? '' }
    },
    /** Every type that has, or ever had, an entity; ascending. */
    types: (): Map<string, TypeState> =>
      new Map(all.all().map(([type, count, version]) => [type, { count, version }])),
    version: current,
    metadata(key: string): Metadata | undefined {
      const row = value.get(key)
      return row && { value: row[0], version: row[1] }
    },
    /** The weights that the search index is built by. */
    searchWeights: (): SearchWeights => weightsOfText(value.get(WEIGHTS_KEY)?.[0]),
    /**
     * Ends a write that made types grow by so many, and keeps its metadata: all it changed gets one new version, the
     * store's from now on. A write that changed nothing moves nothing. Answers the store's version.
     */
    advance(growth: ReadonlyMap<string, number>, metadata: MetadataRecord = {}): string {
      const named = Object.entries(metadata)
      if (growth.size === 0 && named.every(([key, next]) => value.get(key)?.[0] === next)) return current()
      const next = mintVersion()
      for (const [type, delta] of growth) grow.run(type, delta, next)
      for (const [key, kept] of named) {
        if (kept === undefined) unsetValue.run(key)
        else setValue.run(key, kept, next)
      }
      setVersion.run(next)
      return next
    },
  }
}
