/** What several statements share: keys as bytes, and the rows that a transaction holds. */
import { StorageFault, type TypeState } from '../contract.ts'
import { positionOf } from '../history.ts'
import type { Session } from './database.ts'

/** What is no entity, and is held as types are. */
export type Room = 'metadata' | 'tokens'

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
 * Holds a room and the rows of these types, in their order, until the end of the transaction. One statement each: to
 * hold several with one is more than some databases of this protocol can do.
 */
export async function hold(session: Session, types: Iterable<string>, room?: Room): Promise<Held> {
  const keys = [...new Set(types)].map(bytes).sort(Buffer.compare)
  const locks = keys.map(
    (key) => `SELECT count, number, filled FROM types WHERE type = ${literal(key)} FOR UPDATE`,
  )
  const rooms = room ? [`SELECT FROM rooms WHERE name = '${room}' FOR UPDATE`] : []
  const lock = async () =>
    session.batch([
      ...rooms,
      ...locks,
      'SELECT epoch, base + pg_current_xact_id()::text::bigint AS number FROM store',
    ])
  let rows = await lock()
  const isNew = keys.filter((_, at) => rows[rooms.length + at]?.length === 0)
  if (isNew.length > 0) {
    await session.query('INSERT INTO types (type) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING', [isNew])
    rows = await lock()
  }
  const [store] = rows.at(-1) ?? []
  if (store === undefined)
    throw new StorageFault('damaged', 'The store has lost the row that names its history.')
  const held = new Map(
    keys.map((key, at) => {
      const { count = 0, number = 0, filled = false } = rows[rooms.length + at]?.[0] ?? {}
      return [text(key), { count, number, isFilled: filled }]
    }),
  )
  return { epoch: store['epoch'], number: store['number'], types: held }
}

/** Bytes as they are written in SQL. */
function literal(key: Buffer): string {
  return `'\\x${key.toString('hex')}'::bytea`
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
export async function grow(
  session: Session,
  growth: ReadonlyMap<string, number>,
  number: number,
): Promise<void> {
  await session.query(
    `UPDATE types t SET count = t.count + g.delta, number = $3, high = greatest(t.high, $3)
     FROM unnest($1::bytea[], $2::bigint[]) AS g (type, delta) WHERE t.type = g.type`,
    [[...growth.keys()].map(bytes), [...growth.values()], number],
  )
}

/** Gives a room the number of the write that changed it. */
export async function moveRoom(session: Session, room: Room, number: number): Promise<void> {
  await session.query('UPDATE rooms SET number = $2 WHERE name = $1', [room, number])
}

/** The values of these names. */
export async function valuesOf(session: Session, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.query<{ key: string; value: string }>(
    'SELECT key, value FROM metadata WHERE key = ANY($1)',
    [names],
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** Keeps named values; of undefined ones nothing is left. */
export async function keepValues(
  session: Session,
  named: readonly (readonly [string, string | undefined])[],
  version: string,
): Promise<void> {
  const kept = named.filter(([, value]) => value !== undefined)
  const gone = named.filter(([, value]) => value === undefined)
  if (gone.length > 0)
    await session.query('DELETE FROM metadata WHERE key = ANY($1)', [gone.map(([key]) => key)])
  if (kept.length > 0)
    await session.query(
      `INSERT INTO metadata (key, value, version) SELECT k, v, $3 FROM unnest($1::text[], $2::text[]) AS n (k, v)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version`,
      [kept.map(([key]) => key), kept.map(([, value]) => value), version],
    )
}

/** The position of a write; where it changed no entity, of the last one that did. */
export async function positionAfter(
  session: Session,
  { epoch, number }: Held,
  hasGrown: boolean,
): Promise<string> {
  if (hasGrown) return positionOf(epoch, number)
  const [last] = await session.query<{ number: number }>(`SELECT coalesce(max(high), 0) AS number FROM types`)
  return positionOf(epoch, last?.number ?? 0)
}
