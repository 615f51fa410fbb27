/** Reads the change log from the database: entities and deletions, ordered by last write number. */
import type { Change, Changes, ChangesOptions, TypeState } from '@worldwright/core/store'
import {
  beginning,
  changesFrom,
  type Offset,
  offsetFrom,
  offsetText,
  positionOf,
  refuseExpired,
} from '@worldwright/core/store'
import type { DatabaseState } from './database-state.ts'
import { bytes, text } from './rows.ts'
import type { Prepared, Session } from './session.ts'

/** Maximum total length of the entities in a page of changes, in characters. The first change may exceed it. */
const MAX_CHARACTERS = 4_000_000

/** Maximum number of rows per query, kept low because entities may be large. */
const FETCHED = 250

interface Row {
  readonly number: number
  readonly type: Buffer
  readonly id: Buffer
  readonly revision: string | null
  readonly json: string | null
}

/**
 * Reads changes in the session's snapshot. The state and `types` must be from the same snapshot.
 * @throws StoreFault `expired`, `invalid_offset`
 */
export async function readLog(
  session: Session,
  { reach, trimmed }: DatabaseState,
  types: ReadonlyMap<string, TypeState>,
  { after, types: wanted, limit }: ChangesOptions,
): Promise<Changes> {
  const offset = after === undefined ? beginning(reach.number) : offsetFrom(reach.epoch, after)
  refuseExpired(offset, trimmed)
  const rows = await rowsAfter(session, offset, wanted, limit + 1)
  const within = rows.slice(0, fitting(rows, limit))
  const changes = within.map((row): Change => {
    const key = { type: text(row.type), id: text(row.id) }
    const { number, revision, json } = row
    return {
      ...key,
      ...(revision !== null && json !== null && { entity: { ...key, revision, json } }),
      position: positionOf(reach.epoch, number),
      offset: offsetText(reach.epoch, { number, key, begun: offset.begun, pending: reach.pending }),
    }
  })
  return changesFrom({ changes, more: within.length < rows.length, offset, reach, trimmed }, () => types)
}

/** Returns the rows after an offset, until `limit` or `MAX_CHARACTERS` is reached. */
async function rowsAfter(
  session: Session,
  { number, key, pending = [] }: Offset,
  types: readonly string[] | undefined,
  limit: number,
): Promise<Row[]> {
  const wanted = types?.map(bytes) ?? null
  const rows: Row[] = []
  let characters = 0
  const walk = async (from: number, to: number, begin: Offset['key']) => {
    let last: Pick<Row, 'number' | 'type' | 'id'> = {
      number: from,
      type: bytes(begin?.type ?? ''),
      id: bytes(begin?.id ?? ''),
    }
    while (rows.length < limit && characters < MAX_CHARACTERS) {
      const room = Math.min(FETCHED, limit - rows.length)
      const some = await session.query<Row & Record<string, unknown>>(ROWS, [
        last.number,
        last.type,
        last.id,
        to,
        wanted,
        room,
      ])
      for (const row of some) characters += row.json?.length ?? 0
      rows.push(...some)
      if (some.length < room) return
      last = some.at(-1) as Row
    }
  }
  for (const one of pending) await walk(one, one, undefined)
  // An offset without a key follows all changes with its number.
  await walk(key ? number : number + 1, Number.MAX_SAFE_INTEGER, key)
  return rows
}

/** Returns the number of rows that fit in one page. The first row always fits. */
function fitting(rows: readonly Row[], limit: number): number {
  let characters = 0
  const end = rows.findIndex(({ json }, at) => {
    if (at === limit || characters >= MAX_CHARACTERS) return true
    characters += json?.length ?? 0
    return false
  })
  return end < 0 ? rows.length : end
}

const BEHIND = `(number, type, id) > ($1, $2, $3) AND number <= $4
  AND ($5::bytea[] IS NULL OR type = ANY($5::bytea[]))`
const IN_ORDER = 'ORDER BY number, type, id LIMIT $6'

const ROWS: Prepared = {
  name: 'log',
  text: `(SELECT number, type, id, revision, json FROM entities WHERE ${BEHIND} ${IN_ORDER})
    UNION ALL (SELECT number, type, id, NULL, NULL FROM deletions WHERE ${BEHIND} ${IN_ORDER}) ${IN_ORDER}`,
}
