import { mintEpoch } from '@worldwright/core/store'
import type { Database } from './database.ts'

/**
 * Begins a new history: replaces `epoch` with a new epoch, unless another node already has. Later writes get higher numbers
 * than existing rows, even if the database was restored from a dump to a server with lower transaction numbers.
 * @throws StoreFault
 */
export async function beginNewHistory(database: Database, epoch: string): Promise<void> {
  await database.writing(async (session) => {
    // A transaction that waits for one of these locks has no number yet.
    session.send('LOCK TABLE types, rooms IN EXCLUSIVE MODE')
    const [store] = await session.query<{ number: number }>(
      `UPDATE store SET epoch = $1, base = greatest(base, 1 - pg_current_xact_id()::text::bigint + coalesce(
         (SELECT max(high) FROM types), 0)) WHERE epoch = $2 RETURNING base + pg_current_xact_id()::text::bigint AS number`,
      [mintEpoch(), epoch],
    )
    // Writes made before the restore was noticed may have invalid numbers.
    if (store)
      session.send(
        `WITH put AS (UPDATE entities SET number = $1 WHERE number < 1 RETURNING type),
           gone AS (UPDATE deletions SET number = $1 WHERE number < 1 RETURNING type)
         UPDATE types SET number = $1, high = $1 WHERE type IN (SELECT type FROM put UNION SELECT type FROM gone)`,
        [store.number],
      )
  })
}
