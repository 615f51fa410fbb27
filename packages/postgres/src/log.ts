/** Reads the change log from the database: entities and deletions, ordered by last write number. */
import type { Change, Changes, ChangesOptions, TypeState } from '@worldwright/core/store'
import {
  beginning,
  changesFrom,
  offsetFrom,
  offsetText,
  positionOf,
  refuseExpired,
  type Stretch,
  stretchesAfter,
} from '@worldwright/core/store'
import type { DatabaseState } from './database-state.ts'
import { bytes, text } from './rows.ts'
import type { Prepared, Session } from './session.ts'

/** Maximum total length of the entities in a page of changes, in characters. The first change may exceed it. */
const MAX_CHARACTERS = 4_000_000

/** Maximum number of rows per query, kept low because entities may be large. */
const FETCHED = 250

/** An entity in the log, without revision and JSON if it was deleted. */
export interface LogRow {
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
  const rows = await rowsIn(session, stretchesAfter(offset, reach), wanted, limit + 1)
  const within = rows.slice(0, fitting(rows, limit))
  const changes = within.map(({ stretch, ...row }): Change => {
    const key = { type: text(row.type), id: text(row.id) }
    const { number, revision, json } = row
    return {
      ...key,
      ...(revision !== null && json !== null && { entity: { ...key, revision, json } }),
      position: positionOf(reach.epoch, number),
      offset: offsetText(reach.epoch, { ...stretch, number, key }),
    }
  })
  return changesFrom({ changes, more: within.length < rows.length, offset, reach, trimmed }, () => types)
}

/** Returns the rows of stretches, until `limit` or `MAX_CHARACTERS` is reached. */
async function rowsIn(
  session: Session,
  stretches: readonly Stretch[],
  types: readonly string[] | undefined,
  limit: number,
): Promise<(LogRow & { readonly stretch: Stretch })[]> {
  const wanted = types?.map(bytes) ?? null
  const rows: (LogRow & { readonly stretch: Stretch })[] = []
  let characters = 0
  for (const stretch of stretches) {
    const { from, to, key } = stretch
    let last: Pick<LogRow, 'number' | 'type' | 'id'> = {
      number: from,
      type: bytes(key?.type ?? ''),
      id: bytes(key?.id ?? ''),
    }
    while (rows.length < limit && characters < MAX_CHARACTERS) {
      const room = Math.min(FETCHED, limit - rows.length)
      const some = await session.query<LogRow & Record<string, unknown>>(ROWS, [
        last.number,
        last.type,
        last.id,
        to,
        wanted,
        room,
      ])
      for (const row of some) characters += row.json?.length ?? 0
      rows.push(...some.map((row) => ({ ...row, stretch })))
      if (some.length < room) break
      last = some.at(-1) as LogRow
    }
  }
  return rows
}

/** Returns the number of rows that fit in one page. The first row always fits. */
function fitting(rows: readonly LogRow[], limit: number): number {
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
