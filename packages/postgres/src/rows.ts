/** Encodes keys, and locks and updates the rows that a write transaction needs. */
import { isBeside, type NamedValues, positionOf, StoreFault, type TypeState } from '@worldwright/core/store'
import { FORMATS, type Formats, refuseFormat } from './format.ts'
import type { Prepared, Queries, Session } from './session.ts'

/** Group of named values that, like a type, is locked through one row. */
export type Room = 'metadata' | 'beside' | 'apart'

/** Rooms in locking order. */
const ROOMS = ['metadata', 'beside', 'apart'] as const satisfies readonly Room[]

/** Name prefix of values that nodes do not replicate. They are not content, and there may be very many. */
const APART = '~~'

/** Lock on a room. `SHARE` excludes transactions that change the room; `UPDATE` excludes all others. */
export interface RoomLock {
  readonly room: Room
  readonly mode: 'SHARE' | 'UPDATE'
}

/** Returns room locks in locking order: `UPDATE` for a room with changed values, `SHARE` for one with only conditions. */
export function valuesLocks(changed: NamedValues, conditions: NamedValues): RoomLock[] {
  return ROOMS.flatMap((room): RoomLock[] => {
    const has = (values: NamedValues) => Object.keys(values).some((name) => roomOf(name) === room)
    if (has(changed)) return [{ room, mode: 'UPDATE' }]
    return has(conditions) ? [{ room, mode: 'SHARE' }] : []
  })
}

function roomOf(name: string): Room {
  if (name.startsWith(APART)) return 'apart'
  return isBeside(name) ? 'beside' : 'metadata'
}

/** Encodes a type or id as the bytes of a key. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

/** Decodes key bytes to a type or id. */
export function text(key: Buffer): string {
  return key.toString('utf8')
}

/** Locked row of one type. */
export interface HeldType {
  readonly count: number
  readonly number: number
  readonly isFilled: boolean
}

/** Locked rows and number of a write transaction. */
export interface Held {
  readonly epoch: string
  /** Write number shared by all changes in the transaction. */
  readonly number: number
  /** Locked rows, by type. */
  readonly types: ReadonlyMap<string, HeldType>
}

/**
 * Locks these types, in order, and then the rooms, until the transaction ends. `read` runs in the same round trip. Each lock
 * has its own statement, because some databases that speak this protocol cannot take several in one.
 *
 * A transaction gets its number with its first row lock, or while it still waits for a row that was updated. Each type is
 * therefore locked by an advisory lock before any row, so that no transaction waits for a type with a number lower than that
 * of one that gets the type first.
 */
export async function hold<T = undefined>(
  session: Session,
  types: Iterable<string>,
  locks: readonly RoomLock[] = [],
  read: () => Promise<T> = async () => undefined as T,
): Promise<readonly [Held, T]> {
  const keys = [...new Set(types)].map(bytes).sort(Buffer.compare)
  for (;;) {
    const [held, found] = await Promise.all([heldRows(session, keys, locks), read()])
    const isNew = keys.filter((key) => !held.types.has(text(key)))
    if (isNew.length === 0) return [held, found]
    // A missing row could not be locked, so the type may have been written concurrently: create the row and retry.
    await session.query('INSERT INTO types (type) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING', [isNew])
  }
}

/** Locks the types and the rows that exist, and assigns the transaction's number. */
async function heldRows(
  session: Session,
  keys: readonly Buffer[],
  locks: readonly RoomLock[],
): Promise<Held> {
  for (const key of keys) session.send(AWAIT_TYPE, [key])
  const rows = Promise.all(keys.map((key) => session.query<TypeRow>(HOLD_TYPE, [key])))
  // Rooms are locked after types, since a transaction that waits for a type would otherwise block a room.
  for (const { room, mode } of locks) session.send(HOLD_ROOM[mode], [room])
  const [types, [history]] = await Promise.all([
    rows,
    session.query<Formats & { epoch: string; number: number }>(NEXT_NUMBER),
  ])
  if (history === undefined)
    throw new StoreFault('damaged', 'The store has lost the row that names its history.')
  // Another version may have migrated the store, or a restore may have brought back an older format.
  refuseFormat(history)
  return { ...history, types: new Map(types.flat().map(({ type, ...row }) => [text(type), row])) }
}

interface TypeRow extends HeldType {
  readonly type: Buffer
}

const HOLD_ROOM: Readonly<Record<RoomLock['mode'], Prepared>> = {
  SHARE: { name: 'share room', text: 'SELECT FROM rooms WHERE name = $1 FOR SHARE' },
  UPDATE: { name: 'hold room', text: 'SELECT FROM rooms WHERE name = $1 FOR UPDATE' },
}

const AWAIT_TYPE: Prepared = {
  name: 'await type',
  text: `SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 'types'::regclass::oid::bigint))`,
}

const HOLD_TYPE: Prepared = {
  name: 'hold type',
  text: `SELECT type, count, number, filled AS "isFilled" FROM types WHERE type = $1 FOR UPDATE`,
}

const NEXT_NUMBER: Prepared = {
  name: 'next number',
  text: `SELECT epoch, ${FORMATS}, base + pg_current_xact_id()::text::bigint AS number FROM store`,
}

/** Returns the states of the locked types, omitting types that never had an entity. */
export function statesOf({ epoch, types }: Held): Map<string, TypeState> {
  return new Map(
    [...types]
      .filter(([, { number }]) => number > 0)
      .map(([type, { count, number }]) => [type, { count, version: positionOf(epoch, number) }]),
  )
}

/** Adds `growth` to the entity counts of the types and sets their last write number. */
function grow(session: Session, growth: ReadonlyMap<string, number>, number: number): void {
  session.send(GROW, [[...growth.keys()].map(bytes), [...growth.values()], number])
}

const GROW: Prepared = {
  name: 'grow',
  text: `UPDATE types t SET count = t.count + g.delta, number = $3, high = greatest(t.high, $3)
    FROM unnest($1::bytea[], $2::bigint[]) AS g (type, delta) WHERE t.type = g.type`,
}

/** Records the id of a write, so that its outcome can be determined if the response to its commit is lost. */
export function note(session: Session, id: string): void {
  session.send(NOTE, [id])
}

const NOTE: Prepared = { name: 'note', text: 'INSERT INTO writes (id, at) VALUES ($1, clock_timestamp())' }

/** Sets the last write number of a room. */
function moveRoom(session: Session, room: Room, number: number): void {
  session.send('UPDATE rooms SET number = $2 WHERE name = $1', [room, number])
}

/** Returns the values with these names, omitting missing ones. */
export async function valuesOf(session: Session, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await session.query<{ key: string; value: string }>(VALUES, [names])
  return new Map(rows.map(({ key, value }) => [key, value]))
}

const VALUES: Prepared = { name: 'values', text: 'SELECT key, value FROM metadata WHERE key = ANY($1)' }

/** Stores named values and deletes those that are undefined. */
function keepValues(
  session: Session,
  named: readonly (readonly [string, string | undefined])[],
  version: string,
): void {
  const kept = named.filter(([, value]) => value !== undefined)
  const gone = named.filter(([, value]) => value === undefined)
  if (gone.length > 0) session.send('DELETE FROM metadata WHERE key = ANY($1)', [gone.map(([key]) => key)])
  if (kept.length > 0)
    session.send(
      `INSERT INTO metadata (key, value, version) SELECT k, v, $3 FROM unnest($1::text[], $2::text[]) AS n (k, v)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version`,
      [kept.map(([key]) => key), kept.map(([, value]) => value), version],
    )
}

/** Changes made by a write, apart from the entities themselves. */
interface Finished {
  readonly held: Held
  /** Change in the entity count of each changed type. */
  readonly growth: ReadonlyMap<string, number>
  readonly values: NamedValues
  /** Previous values under the names in `values`. */
  readonly before: ReadonlyMap<string, string>
}

/** Stores the changes to types and values. Returns false if nothing changed. */
export function finishState(session: Session, { held, growth, values, before }: Finished): boolean {
  const hasGrown = growth.size > 0
  const named = Object.entries(values)
  const position = positionOf(held.epoch, held.number)
  for (const room of ROOMS) {
    const own = named.filter(([name]) => roomOf(name) === room)
    const isChanged = own.some(([name, value]) => before.get(name) !== value)
    const version = room !== 'metadata' ? '' : hasGrown ? position : `${position}-0`
    if (isChanged || (hasGrown && room === 'metadata')) keepValues(session, own, version)
    if (isChanged) moveRoom(session, room, held.number)
  }
  if (hasGrown) grow(session, growth, held.number)
  return hasGrown || named.some(([name, value]) => before.get(name) !== value)
}

/** Returns the position of a write. For a write that changed no entity, this is the position of the last one that did. */
export async function positionAfter(
  session: Session,
  { epoch, number }: Held,
  hasGrown: boolean,
): Promise<string> {
  return hasGrown ? positionOf(epoch, number) : lastPosition(session)
}

/** Returns the position of the last write that changed an entity. */
export async function lastPosition(session: Queries): Promise<string> {
  const [last] = await session.query<{ epoch: string; number: number }>(
    'SELECT epoch, (SELECT coalesce(max(high), 0) FROM types) AS number FROM store',
  )
  return positionOf(last?.epoch ?? '', last?.number ?? 0)
}
