/**
 * Detection of lists that may continue although a page names no further cursor.
 */
import type { EntityList } from '../protocol.ts'
import type { WalkEnd } from '../reader.ts'
import { isKey, membersIn } from './find.ts'
import { type Interpretation, interpretationOf } from './interpretation.ts'
import { pathsIn } from './list.ts'

/**
 * Returns the members of the last page if its list may continue. A page that declares itself the last one is believed,
 * unless its total exceeds the entities read. A page without such a declaration is requested again with another limit: a
 * world that then returns less, and no cursor that is recognised, truncates its lists. If the limit changes nothing, texts
 * and numbers of unknown meaning are tried as cursors: a world that accepts one of them has more entities.
 */
export async function doubtIn({
  page,
  isFirst,
  read,
  ask,
}: WalkEnd): Promise<Record<string, unknown> | undefined> {
  const { body, found } = interpretationOf(page) as Interpretation
  const { cursor, total } = found
  const details = { members: pathsIn(body) }
  if (isFirst && (total?.value as number) > read) return details
  if (!isFirst || cursor || total?.value === read) return undefined
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
