/** A new history for a database that does not go on with the one it had. */
import { mintEpoch } from '@worldwright/core/store'
import type { Database } from './database.ts'

/**
 * Gives the store a new epoch, once; nothing where another node did. All that is written from then on has higher numbers than what
 * is there, also where the database was restored from a dump: the transactions of another server begin at any number.
 * `epoch`: the one that it had. @throws StorageFault
 */
export async function beginNewHistory(database: Database, epoch: string): Promise<void> {
  await database.writing(async (session) => {
    // Who waits for one of them has no number yet.
    session.send('LOCK TABLE types, rooms IN EXCLUSIVE MODE')
    const [store] = await session.query<{ number: number }>(
      `UPDATE store SET epoch = $1, base = greatest(base, 1 - pg_current_xact_id()::text::bigint + coalesce(
         (SELECT max(high) FROM types), 0)) WHERE epoch = $2 RETURNING base + pg_current_xact_id()::text::bigint AS number`,
      [mintEpoch(), epoch],
    )
    // What was written before anybody looked may have numbers that are none.
    if (store)
      session.send(
        `WITH put AS (UPDATE entities SET number = $1 WHERE number < 1 RETURNING type),
           gone AS (UPDATE deletions SET number = $1 WHERE number < 1 RETURNING type)
         UPDATE types SET number = $1, high = $1 WHERE type IN (SELECT type FROM put UNION SELECT type FROM gone)`,
        [store.number],
      )
  })
}
