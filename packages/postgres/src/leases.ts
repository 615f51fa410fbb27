/** Implements leases: rows that assign a task to one node at a time. Only the database's clock is used. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallOptions, Lease } from '@worldwright/core/store'
import type { Database } from './database.ts'

/** Time from the last renewal until a lease expires, in milliseconds. The holder renews it every quarter of that time. */
const LEASE_MS = 20_000

/** Polling intervals while waiting for a lease, in milliseconds. They grow with the time waited. */
const [LOOK_MS, MAX_LOOK_MS] = [100, 5_000]

/** Waits for the lease `name` and takes it. @throws StoreFault `unreachable`; an AbortError if the signal aborts */
export async function takeLease(
  database: Database,
  name: string,
  { signal }: CallOptions = {},
  ms = LEASE_MS,
): Promise<Lease> {
  for (const begun = performance.now(); ; ) {
    const lease = await tryLease(database, name, ms)
    if (lease) return lease
    const waited = performance.now() - begun
    await pause(Math.min(LOOK_MS + waited / 10, MAX_LOOK_MS), undefined, { signal })
  }
}

/** Takes the lease `name`, or returns undefined if it is already held. @throws StoreFault `unreachable` */
export async function tryLease(database: Database, name: string, ms = LEASE_MS): Promise<Lease | undefined> {
  const holder = randomUUID()
  const [row] = await database.query(
    `INSERT INTO leases (name, holder, ends) VALUES ($1, $2, ${ENDS})
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends = excluded.ends WHERE leases.ends < clock_timestamp()
     RETURNING holder`,
    [name, holder, ms],
  )
  if (row === undefined) return undefined
  const renew = () =>
    database.query(`UPDATE leases SET ends = ${ENDS} WHERE name = $1 AND holder = $2`, [name, holder, ms])
  // A failed renewal is retried at the next interval.
  const timer = setInterval(() => void renew().catch(() => {}), ms / 4).unref()
  return {
    async release() {
      clearInterval(timer)
      await database
        .query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
        .catch(() => {})
    },
  }
}

const ENDS = `clock_timestamp() + $3 * interval '1 millisecond'`
