/** Reads the position and types of a database in one snapshot. */

import { type Reach, StoreFault } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { FORMATS, type Formats, refuseFormat } from './format.ts'
import { beginNewHistory } from './new-history.ts'
import { PENDING } from './pending.ts'
import { type Room, text } from './rows.ts'
import type { Prepared, Session } from './session.ts'

/** State of a database in one snapshot, without its entities. */
export interface DatabaseState {
  readonly reach: Reach
  /** Lower bound for the numbers of future writes. Past writes have lower numbers unless the database lost its history. */
  readonly next: number
  /** Deletions up to this number may have been trimmed. */
  readonly trimmed: number
  /** All types that have ever had an entity, in ascending order, with their entity counts and last write numbers. */
  readonly types: ReadonlyMap<string, { readonly count: number; readonly number: number }>
  /** Last write number of each room. */
  readonly rooms: Readonly<Record<Room, number>>
}

/** Reads the state in the session's snapshot. @throws StoreFault `damaged`; as `refuseFormat` */
export async function stateOf(session: Session): Promise<DatabaseState> {
  const found = session.query<StoreRow>(STORE)
  const rest = Promise.all([
    session.query<{ type: Buffer; count: number; number: number; high: number }>(TYPES),
    session.query<{ name: Room; number: number }>(ROOMS),
  ])
  // All are sent at once, but in another format the rest may fail.
  rest.catch(() => {})
  const [store] = await found
  if (store === undefined)
    throw new StoreFault('damaged', 'The store has lost the row that names its history.')
  refuseFormat(store)
  const [types, rooms] = await rest
  const number = Math.max(0, ...types.map(({ high }) => high))
  const { epoch, trimmed, pending, next } = store
  return {
    next,
    reach: { epoch, number, pending: pending.filter((one) => one < number) },
    trimmed,
    types: new Map(types.map(({ type, count, number }) => [text(type), { count, number }])),
    rooms: {
      metadata: 0,
      beside: 0,
      apart: 0,
      ...Object.fromEntries(rooms.map((row) => [row.name, row.number])),
    },
  }
}

const STORE: Prepared = {
  name: 'store',
  text: `SELECT ${FORMATS}, epoch, trimmed, base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next, (${PENDING}) AS pending
    FROM store`,
}
const TYPES: Prepared = {
  name: 'types',
  text: 'SELECT type, count, number, high FROM types WHERE number > 0 ORDER BY type',
}
const ROOMS: Prepared = { name: 'rooms', text: 'SELECT name, number FROM rooms' }

interface StoreRow extends Formats {
  readonly epoch: string
  readonly trimmed: number
  readonly next: number
  readonly pending: readonly number[]
}

/**
 * Throws if the database has reverted to an earlier state, which `mend` repairs. `known` is the last reach that this node has
 * seen in the same history.
 */
export function refuseOther({ reach, next }: DatabaseState, known: Reach | undefined): void {
  if ((known && known.number > reach.number) || reach.number >= next) throw new WentBack(reach.epoch)
}

/** Repairs the cause of an error thrown by `refuseOther`. Rethrows any other error. @throws StoreFault */
export async function mend(database: Database, error: unknown): Promise<void> {
  if (error instanceof WentBack) await beginNewHistory(database, error.epoch)
  else throw error
}

/**
 * Thrown if the database has reverted to an earlier state. Either a restore or failover lost writes that this node has seen,
 * or a restore from a dump left the server's transaction numbers lower than the numbers in the data.
 */
class WentBack extends Error {
  readonly epoch: string

  constructor(epoch: string) {
    super()
    this.epoch = epoch
  }
}
