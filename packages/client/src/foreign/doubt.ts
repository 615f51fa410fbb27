/**
 * Detection of lists that may continue although a page has no recognised cursor.
 */
import type { EntityList } from '../protocol.ts'
import type { WalkEnd } from '../reader.ts'
import { isKey, membersIn } from './find.ts'
import { type Interpretation, interpretationOf } from './interpretation.ts'
import { pathsIn } from './list.ts'

/**
 * Returns the member paths of a walk's only page if its list may continue, else undefined. A total above the number of
 * entities read means that it continues; an equal total or an end marker, that it ends. Without either, another limit is
 * tried: if the entity count changes and no cursor is recognised, the world truncates its lists. Then unknown strings and
 * numbers are tried as cursors: if one returns other entities, the list continues.
 */
export async function doubtIn({
  page,
  isFirst,
  read,
  ask,
}: WalkEnd): Promise<Record<string, unknown> | undefined> {
  const { body, found } = interpretationOf(page) as Interpretation
  const { cursor } = found
  const total = Number(found['total']?.value)
  const details = { members: pathsIn(body) }
  if (isFirst && total > read) return details
  if (!isFirst || cursor || total === read) return undefined
  // A refused limit or cursor proves nothing.
  const again = (limit?: number, cursor?: string) => ask(limit, cursor).catch(() => page)
  const { entities, nextCursor } = read ? await again(read > 1 ? 1 : 2) : page
  if (entities.length !== read) return entities.length > read || !nextCursor ? details : undefined
  const keys = membersIn(body).filter(({ value }) => isKey(value))
  const others = await Promise.all(keys.slice(0, 5).map(({ value }) => again(undefined, `${value}`)))
  const own = JSON.stringify(page.entities)
  const isOther = ({ entities }: EntityList) => entities.length && JSON.stringify(entities) !== own
  return others.some(isOther) ? details : undefined
}
