import type { Database } from './database.ts'
import { tryLease } from './leases.ts'

/** Maximum number of tombstones trimmed per transaction. */
const TRIMMED = 1_000

/** Retention of write ids, long enough for a caller that lost its response to determine the outcome. */
const WRITES_KEPT = `interval '1 hour'`

/** Trims old write ids, and tombstones older than `before` (ms since 1970). Does nothing while another node trims. */
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

/** Trims a batch of the oldest tombstones and returns how many it trimmed. */
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
