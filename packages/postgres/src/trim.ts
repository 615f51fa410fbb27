/** Trims old tombstones, and the ids of writes whose callers have long been answered. */
import type { Database } from './database.ts'
import { tryLease } from './leases.ts'

/** Tombstones trimmed per transaction. */
const TRIMMED = 1_000

/** Long enough for every caller that lost its answer to find the outcome. */
const WRITES_KEPT = `interval '1 hour'`

/** Trims tombstones from before a time, in milliseconds since 1970, oldest first; does nothing if another node is trimming. */
export async function trimDeletions(database: Database, before: number): Promise<void> {
  const lease = await tryLease(database, 'trim')
  if (lease === undefined) return
  try {
    await database.query(`DELETE FROM writes WHERE at < now() - ${WRITES_KEPT}`)
    if (Number.isFinite(before)) while ((await trimSome(database, before)) === TRIMMED);
  } finally {
    await lease.release()
  }
}

/** Returns the number trimmed. */
function trimSome(database: Database, before: number): Promise<number> {
  return database.writing(async (session) => {
    const rows = await session.query<{ number: number; at: number }>(
      'SELECT number, deleted_at AS at FROM deletions ORDER BY number LIMIT $1',
      [TRIMMED],
    )
    const young = rows.findIndex(({ at }) => at >= before)
    const old = young < 0 ? rows : rows.slice(0, young)
    const last = old.at(-1)
    if (last === undefined) return 0
    session.send('DELETE FROM deletions WHERE number <= $1', [last.number])
    session.send('UPDATE store SET trimmed = greatest(trimmed, $1)', [last.number])
    return old.length
  })
}
