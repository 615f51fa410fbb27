/** Rows that imports have left in a store's file. */
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'

/** Counts the recorded imports and the staged entities. */
export function leftovers(db: DatabaseSync): { imports: number; staged: number } {
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'])
  return { imports: count('imports'), staged: count('staged') }
}

/** Waits up to 10,000 turns of the event loop for the background work of an open store to remove all leftovers. */
export async function untilClean(db: DatabaseSync): Promise<void> {
  for (let turns = 0; turns < 10_000 && leftovers(db).imports > 0; turns++) await turn()
  assert.deepEqual(leftovers(db), { imports: 0, staged: 0 })
}
