/** Implements the store methods that always use the database, with or without a local replica. */
import type { NamedValue, Position, Store } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { outcomeOf } from './decided.ts'
import { beginImport } from './import.ts'
import { takeLease } from './leases.ts'
import { ownedOf } from './owned.ts'
import { lastPosition } from './rows.ts'
import { write } from './write.ts'

type Writes = Pick<Store, 'write' | 'bulk' | 'owned' | 'lease' | 'outcome'>

/**
 * Returns the methods that write to a database. They await `applied`, so that this node can read what they committed, or the
 * entity that failed a precondition.
 */
export function writesTo(
  database: Database,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
): Writes {
  return {
    async write(operations, options) {
      const result = await write(database, now, operations, options)
      // Values alone do not advance the position, so wait until the node has seen everything committed.
      if (result.done) await applied(operations.length > 0 ? result.position : undefined)
      else if ('failed' in result) await applied()
      return result
    },
    bulk: (options = {}) => beginImport(database, now, options, applied),
    outcome: (id) => outcomeOf(database, id),
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
    // The upper bound is the prefix followed by the greatest character.
    'SELECT key, value, version FROM metadata WHERE key COLLATE "C" BETWEEN $1 AND $2 ORDER BY key COLLATE "C"',
    [prefix, `${prefix}\u{10FFFF}`],
  )
  return new Map(rows.map(({ key, ...value }) => [key, value]))
}
