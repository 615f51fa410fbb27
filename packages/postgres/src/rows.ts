/** What several statements share: keys as bytes, and the rows that a transaction holds. */
import { isBeside, type NamedValues, positionOf, StorageFault, type TypeState } from '@worldwright/core/store'
import { isOlder } from './format.ts'
import type { Prepared, Queries, Session } from './session.ts'

/** What is no entity, and is held as types are. */
export type Room = 'metadata' | 'beside'

/** In the order in which they are held. */
const ROOMS = ['metadata', 'beside'] as const satisfies readonly Room[]

/** How a room is held: `SHARE` keeps those away who change it, `UPDATE` all others. */
export interface RoomLock {
  readonly room: Room
  readonly mode: 'SHARE' | 'UPDATE'
}

/** The rooms of these values, in their order: held for whoever changes some, shared by those who only go by them. */
export function valuesLocks(changed: NamedValues, conditions: NamedValues): RoomLock[] {
  return ROOMS.flatMap((room): RoomLock[] => {
    const has = (values: NamedValues) => Object.keys(values).some((name) => roomOf(name) === room)
    if (has(changed)) return [{ room, mode: 'UPDATE' }]
    return has(conditions) ? [{ room, mode: 'SHARE' }] : []
  })
}

function roomOf(name: string): Room {
  return isBeside(name) ? 'beside' : 'metadata'
}

/** A text as the bytes of its key. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

/** The text of a key. */
export function text(key: Buffer): string {
  return key.toString('utf8')
}

/** A type as its row says. */
export interface HeldType {
  readonly count: number
  readonly number: number
  readonly isFilled: boolean
}

/** What a transaction that writes goes by. */
export interface Held {
  readonly epoch: string
  /** What all that it changes is numbered with. */
  readonly number: number
  /** The rows that it holds, by type. */
  readonly types: ReadonlyMap<string, HeldType>
}

/**
 * Holds the rows of these types, in their order, and then rooms, until the end of the transaction, and reads what they
 * guard in the same trip. One statement for each: to hold several with one is more than some databases of this protocol can do.
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
    // Without a row of the type, nothing kept others away from what was read.
    await session.query('INSERT INTO types (type) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING', [isNew])
  }
}

/** Holds the rows that there are. */
async function heldRows(
  session: Session,
  keys: readonly Buffer[],
  locks: readonly RoomLock[],
): Promise<Held> {
  const rows = Promise.all(keys.map((key) => session.query<TypeRow>(HOLD_TYPE, [key])))
  // After the types: who waits for one of them would keep those away who change what is in the room.
  for (const { room, mode } of locks) session.send(HOLD_ROOM[mode], [room])
  const [types, [history]] = await Promise.all([
    rows,
    session.query<{ epoch: string; number: number; format: number }>(NEXT_NUMBER),
  ])
  if (history === undefined)
    throw new StorageFault('damaged', 'The store has lost the row that names its history.')
  // Another version may have taken it over, or a restore brought an older one back.
  if (isOlder(history.format))
    throw new StorageFault('busy', 'The store is brought to the format of this version. Try again.')
  return { ...history, types: new Map(types.flat().map(({ type, ...row }) => [text(type), row])) }
}

interface TypeRow extends HeldType {
  readonly type: Buffer
}

const HOLD_ROOM: Readonly<Record<RoomLock['mode'], Prepared>> = {
  SHARE: { name: 'share room', text: 'SELECT FROM rooms WHERE name = $1 FOR SHARE' },
  UPDATE: { name: 'hold room', text: 'SELECT FROM rooms WHERE name = $1 FOR UPDATE' },
}

const HOLD_TYPE: Prepared = {
  name: 'hold type',
  text: `SELECT type, count, number, filled AS "isFilled" FROM types WHERE type = $1 FOR UPDATE`,
}

const NEXT_NUMBER: Prepared = {
  name: 'next number',
  text: 'SELECT epoch, format, base + pg_current_xact_id()::text::bigint AS number FROM store',
}

/** The states of the types that a transaction holds, without those that never had an entity. */
export function statesOf({ epoch, types }: Held): Map<string, TypeState> {
  return new Map(
    [...types]
      .filter(([, { number }]) => number > 0)
      .map(([type, { count, number }]) => [type, { count, version: positionOf(epoch, number) }]),
  )
}

/** Makes types grow by so many, and gives them the number of the write. */
function grow(session: Session, growth: ReadonlyMap<string, number>, number: number): void {
  session.send(GROW, [[...growth.keys()].map(bytes), [...growth.values()], number])
}

const GROW: Prepared = {
  name: 'grow',
  text: `UPDATE types t SET count = t.count + g.delta, number = $3, high = greatest(t.high, $3)
    FROM unnest($1::bytea[], $2::bigint[]) AS g (type, delta) WHERE t.type = g.type`,
}

/** Notes a write by its own id, to be found where the answer to its commit is lost. */
export function note(session: Session, id: string): void {
  session.send(NOTE, [id])
}

const NOTE: Prepared = { name: 'note', text: 'INSERT INTO writes (id) VALUES ($1)' }

/** Gives a room the number of the write that changed it. */
function moveRoom(session: Session, room: Room, number: number): void {
  session.send('UPDATE rooms SET number = $2 WHERE name = $1', [room, number])
}

/** The values of these names. */
export async function valuesOf(session: Session, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await session.query<{ key: string; value: string }>(VALUES, [names])
  return new Map(rows.map(({ key, value }) => [key, value]))
}

const VALUES: Prepared = { name: 'values', text: 'SELECT key, value FROM metadata WHERE key = ANY($1)' }

/** Keeps named values; of undefined ones nothing is left. */
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

/** What a write comes to beside its entities. */
interface Finished {
  readonly held: Held
  /** By how many each type grew. */
  readonly growth: ReadonlyMap<string, number>
  readonly values: NamedValues
  /** The values of these names that stood before. */
  readonly before: ReadonlyMap<string, string>
}

/** Notes what a write did to types and values. False if that is nothing. */
export function finishState(session: Session, { held, growth, values, before }: Finished): boolean {
  const hasGrown = growth.size > 0
  const named = Object.entries(values)
  const position = positionOf(held.epoch, held.number)
  for (const room of ROOMS) {
    const own = named.filter(([name]) => roomOf(name) === room)
    const isChanged = own.some(([name, value]) => before.get(name) !== value)
    const version = room === 'beside' ? '' : hasGrown ? position : `${position}-0`
    if (isChanged || (hasGrown && room === 'metadata')) keepValues(session, own, version)
    if (isChanged) moveRoom(session, room, held.number)
  }
  if (hasGrown) grow(session, growth, held.number)
  return hasGrown || named.some(([name, value]) => before.get(name) !== value)
}

/** The position of a write; where it changed no entity, of the last one that did. */
export async function positionAfter(
  session: Session,
  { epoch, number }: Held,
  hasGrown: boolean,
): Promise<string> {
  return hasGrown ? positionOf(epoch, number) : lastPosition(session)
}

/** The position of the last write that changed an entity. */
export async function lastPosition(session: Queries): Promise<string> {
  const [last] = await session.query<{ epoch: string; number: number }>(
    'SELECT epoch, (SELECT coalesce(max(high), 0) FROM types) AS number FROM store',
  )
  return positionOf(last?.epoch ?? '', last?.number ?? 0)
}
