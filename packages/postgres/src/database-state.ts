/** State of the database: its position, types and format, read in one snapshot. */

import type { Reach } from '@worldwright/core/store'
import { StorageFault } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { isOlder, prepareStore } from './format.ts'
import { beginNewHistory } from './new-history.ts'
import { PENDING } from './pending.ts'
import { type Room, text } from './rows.ts'
import type { Prepared, Session } from './session.ts'

/** The state of the database in one snapshot, without its entities. */
export interface DatabaseState {
  readonly format: number
  readonly reach: Reach
  /** Lower bound of future numbers: every write so far has a lower one, if the database continues its own history. */
  readonly next: number
  /** Deletions up to this number may be forgotten. */
  readonly trimmed: number
  /** Every type that has, or ever had, an entity, with its count and the number of its last write. Ascending. */
  readonly types: ReadonlyMap<string, { readonly count: number; readonly number: number }>
  /** The numbers of their last writes. */
  readonly rooms: Readonly<Record<Room, number>>
}

/** Reads the state in the snapshot of a session. @throws StorageFault `damaged` */
export async function stateOf(session: Session): Promise<DatabaseState> {
  const [[store], types, rooms] = await Promise.all([
    session.query<StoreRow>(STORE),
    session.query<{ type: Buffer; count: number; number: number; high: number }>(TYPES),
    session.query<{ name: Room; number: number }>(ROOMS),
  ])
  if (store === undefined)
    throw new StorageFault('damaged', 'The store has lost the row that names its history.')
  const number = Math.max(0, ...types.map(({ high }) => high))
  const { format, epoch, trimmed, pending, next } = store
  return {
    format,
    next,
    reach: { epoch, number, pending: pending.filter((one) => one < number) },
    trimmed,
    types: new Map(types.map(({ type, count, number }) => [text(type), { count, number }])),
    rooms: { metadata: 0, beside: 0, ...Object.fromEntries(rooms.map((row) => [row.name, row.number])) },
  }
}

const STORE: Prepared = {
  name: 'store',
  text: `SELECT format, epoch, trimmed, base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next, (${PENDING}) AS pending
    FROM store`,
}
const TYPES: Prepared = {
  name: 'types',
  text: 'SELECT type, count, number, high FROM types WHERE number > 0 ORDER BY type',
}
const ROOMS: Prepared = { name: 'rooms', text: 'SELECT name, number FROM rooms' }

interface StoreRow {
  readonly format: number
  readonly epoch: string
  readonly trimmed: number
  readonly next: number
  readonly pending: readonly number[]
}

/**
 * Refuses a database that this version cannot continue with as it is; `mend` makes it usable. `known`: the last reach seen
 * of its history.
 */
export function refuseOther({ format, reach, next }: DatabaseState, known: Reach | undefined): void {
  if (isOlder(format)) throw new OlderFormat()
  if ((known && known.number > reach.number) || reach.number >= next) throw new WentBack(reach.epoch)
}

/** Repairs the cause of a refusal by `refuseOther`; rethrows every other error. @throws StorageFault */
export async function mend(database: Database, error: unknown): Promise<void> {
  if (error instanceof OlderFormat) await prepareStore(database)
  else if (error instanceof WentBack) await beginNewHistory(database, error.epoch)
  else throw error
}

/** The store is of an older format: it was restored, or the database was unreachable when this node was opened. */
class OlderFormat extends Error {}

/**
 * The database does not continue its history. Either it is behind what this node has seen, because it was restored or a
 * failover lost acknowledged writes; or its transaction numbers are behind its data, because it was restored from a dump.
 */
class WentBack extends Error {
  readonly epoch: string

  constructor(epoch: string) {
    super()
    this.epoch = epoch
  }
}
