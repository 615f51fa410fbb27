import { namedValue, positionNow, reachOf, type Store, StoreFault } from '@worldwright/core/store'
import { stateOf } from './database-state.ts'
import { SEEN } from './replica.ts'
import { asked } from './whole-store.ts'

/**
 * Refuses a seed from which a node would have to copy everything after all. The database is not changed.
 * @throws StoreFault `expired` if the database does not continue the seed; `not_a_store` if it is no replica; `unreachable`
 */
export async function refuseSeed(url: string, seed: Store): Promise<void> {
  if ((await namedValue(seed, SEEN)) === undefined)
    throw new StoreFault('not_a_store', 'it is a backup of a store in a file, not of a node of this store.')
  const { reach, trimmed } = await asked(url, (database) => database.reading(stateOf))
  const known = reachOf(reach.epoch, await positionNow(seed))
  const problem =
    known === undefined
      ? 'it has another history than the database: it is of another store, or one of both was restored.'
      : known.number > reach.number
        ? 'it is newer than the database, which was restored to an older state.'
        : trimmed > known.number &&
          'it is too old: the database no longer keeps the deletions since then (retentionDays).'
  if (problem) throw new StoreFault('expired', problem)
}
