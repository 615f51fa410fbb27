/** Forgetting what is old: deletions, and the ids of writes whose callers have long had their answer. */
import type { Database } from './database.ts'

/** Forgotten by one statement. */
const TRIMMED = 1_000

/** Whoever was cut off from its answer has found out by then. */
const WRITES_KEPT = `interval '1 hour'`

/** Forgets deletions of before a moment, in milliseconds since 1970, oldest first. One node does it at a time. */
export async function trimDeletions(database: Database, before: number): Promise<void> {
  await database.query(`DELETE FROM writes WHERE at < now() - ${WRITES_KEPT}`)
  if (!Number.isFinite(before)) return
  let trimmed = TRIMMED
  while (trimmed === TRIMMED) {
    trimmed = await database.writing(async (session) => {
      // Who holds the row of the store trims; nobody else ever does.
      await session.query('SELECT 1 FROM store FOR UPDATE')
      const rows = await session.query<{ number: number; at: number }>(
        'SELECT number, deleted_at AS at FROM deletions ORDER BY number LIMIT $1',
        [TRIMMED],
      )
      const young = rows.findIndex(({ at }) => at >= before)
      const old = young < 0 ? rows : rows.slice(0, young)
      const last = old.at(-1)
      if (last === undefined) return 0
      await session.query('DELETE FROM deletions WHERE number <= $1', [last.number])
      await session.query('UPDATE store SET trimmed = greatest(trimmed, $1)', [last.number])
      return old.length
    })
  }
}
