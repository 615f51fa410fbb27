/** Forgetting what is old: deletions, and the ids of writes whose callers have long had their answer. */
import type { Database } from './database.ts'
import { tryLease } from './leases.ts'

/** Forgotten by one statement. */
const TRIMMED = 1_000

/** Whoever was cut off from its answer has found out by then. */
const WRITES_KEPT = `interval '1 hour'`

/** Forgets deletions of before a moment, in milliseconds since 1970, oldest first; nothing where another node does it now. */
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

/** Answers how many were forgotten. */
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
