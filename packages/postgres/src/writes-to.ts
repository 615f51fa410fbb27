/** The methods of a store that only the database answers, with or without a local replica. */
import type { NamedValue, Position, Store } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { beginImport } from './import.ts'
import { takeLease } from './leases.ts'
import { ownedOf } from './owned.ts'
import { lastPosition } from './rows.ts'
import { write } from './write.ts'

type Writes = Pick<Store, 'write' | 'bulk' | 'owned' | 'lease'>

/** Returns the methods that write to a database. `applied` is awaited after each commit, until this node can read it. */
export function writesTo(
  database: Database,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
): Writes {
  return {
    async write(operations, options) {
      const result = await write(database, now, operations, options)
      // Values alone do not move the position, so everything committed must be taken over.
      if (result.done) await applied(operations.length > 0 ? result.position : undefined)
      return result
    },
    bulk: (options = {}) => beginImport(database, now, options, applied),
    owned: ({ limit }) => ownedOf(database, limit),
    async lease(name, options) {
      const lease = await takeLease(database, name, options)
      await applied(await lastPosition(database))
      return lease
    },
  }
}

/** Returns the values in the database whose names begin with a prefix. */
export async function valuesIn(database: Database, prefix: string): Promise<Map<string, NamedValue>> {
  const rows = await database.query<{ key: string; value: string; version: string }>(
    'SELECT key, value, version FROM metadata WHERE left(key, length($1::text)) = $1::text ORDER BY key COLLATE "C"',
    [prefix],
  )
  return new Map(rows.map(({ key, ...value }) => [key, value]))
}
