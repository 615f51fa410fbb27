/** The part of a store that only the database answers, whether a node keeps a copy or not. */
import { type Position, type Storage, StorageFault } from '../contract.ts'
import { RULES_KEY, textOfRules } from '../index-rules.ts'
import type { Database } from './database.ts'
import { beginImport } from './import.ts'
import { takeLease } from './leases.ts'
import { ownedOf } from './owned.ts'
import { lastPosition } from './rows.ts'
import { write } from './write.ts'

type Writes = Pick<Storage, 'write' | 'import' | 'owned' | 'setIndexRules' | 'lease' | 'follow'>

/** The methods that write to a database. `applied` is awaited after each commit, until this node can read it. */
export function writesTo(
  database: Database,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
): Writes {
  return {
    async write(operations, options) {
      const result = await write(database, now, operations, options)
      if (result.done) await applied(result.position)
      return result
    },
    import: (options = {}) => beginImport(database, now, options, applied),
    owned: ({ limit }) => ownedOf(database, limit),
    async setIndexRules(rules) {
      const metadata = { [RULES_KEY]: textOfRules(rules) }
      await write(database, now, [], { metadata })
      await applied()
    },
    async lease(name, options) {
      const lease = await takeLease(database, name, options)
      await applied(await lastPosition(database))
      return lease
    },
    follow() {
      throw new StorageFault(
        'read_only',
        'A store in PostgreSQL keeps a history of its own: it follows no other.',
      )
    },
  }
}
