/**
 * Proof of a reading: requests to the world that confirm or refute the names with which its bodies were read. Loaded only
 * for worlds that do not use our names.
 */
import { component } from '../address.ts'
import { send } from '../calls.ts'
import { settingsOf, type WorldData } from '../discovery.ts'
import type { WorldError } from '../error.ts'
import type { Entity, EntityList } from '../protocol.ts'
import type { WalkEnd } from '../reader.ts'
import type { Call } from '../request.ts'
import { idsIn, isOurs, membersOf } from './entity.ts'
import { isBranch, isKey, type Known } from './find.ts'
import { type Interpretation, interpretationOf, partsOf } from './interpretation.ts'
import { CURSORS, cursorFrom, cursorsIn, pageFrom, pathsIn } from './list.ts'
import type { Names } from './names.ts'
import type { Reading } from './reading.ts'

// Maximum numbers of requests, so that the proof of a page costs a world at most eight.
const MOST_IDS = 3
const MOST_CURSORS = 5

/** Requests an entity or a list. Resolves with undefined if the request fails, and with null if the world refuses it. */
async function ask<T>(
  world: WorldData,
  names: readonly string[],
  cursor: string,
  take: Call<T>['take'],
): Promise<T | null | undefined> {
  // All requests together must not exceed the timeout of the attempt that awaits them.
  const timeout = (settingsOf(world).attemptTimeout ?? 10_000) / (MOST_IDS + MOST_CURSORS + 1)
  try {
    const route = `entities/${names.map(component).join('/')}${cursor && `?cursor=${encodeURIComponent(cursor)}`}`
    return await send(world, route, { timeout }, take)
  } catch (error) {
    return [400, 404, 422].includes((error as WorldError).status) ? null : undefined
  }
}

/**
 * Proves the names of the id and the cursor of a page that are not sure, with at most eight requests, and returns the page as
 * read with the proved names. Failed requests prove nothing. An id is proved once for each type.
 */
export async function settle(
  world: WorldData,
  { known, proofs }: Reading,
  page: EntityList,
  read: (cursor?: '') => EntityList,
  asked: string | undefined,
  isStart: boolean,
): Promise<EntityList> {
  const last = page.entities.at(-1)
  const type = asked ?? last?.type
  if (!type) return page
  const parts = { ...partsOf(page), ...partsOf(last) }
  const isUnsure = (key: keyof Names) => parts[key]?.certainty !== 'proved' && known[key] === undefined
  const learn = (key: keyof Names, path: string) => {
    known.paths[key] = [{ path, certainty: 'proved' }, ...(known.paths[key] ?? [])]
  }
  const proveId = async () => {
    const path = await provedId(world, page, type, known)
    // A name that was proved for other types only is a guess.
    known.ids[type] = known.paths.id?.map(({ path }) => ({ path, certainty: 'likely' }))
    if (!path) return
    learn('id', path)
    known.ids[type] = known.paths.id
    const { type: kind, entities } = parts
    if (entities?.certainty === 'likely') learn(isStart ? 'entities' : 'found', entities.path)
    if (kind?.certainty === 'likely') learn('type', kind.path)
  }
  // Another type may have another name for its id.
  if (last && !isOurs(last) && (Object.keys(proofs)[0] || isUnsure('id'))) proofs[type] ??= proveId()
  await proofs[type]
  if (!isStart || parts['cursor']?.value === false || !isUnsure('cursor')) return read()
  const path = await provedCursor(world, read(), type, known)
  if (path) learn('cursor', path)
  return read(path === '' ? path : undefined)
}

/**
 * Requests the last entity of a page by each likely id. Returns the path of the first id for which the response is the same
 * entity: it has most of the values that distinguish the entity from the others of the page.
 */
async function provedId(world: WorldData, page: EntityList, type: string, names: Known) {
  const items = partsOf(page)['entities']?.value as unknown[]
  const last = items.at(-1)
  const own = leavesIn(last)
  for (const leaf of leavesIn(items.slice(0, -1))) own.delete(leaf)
  const ids = idsIn(membersOf(last, names, type), names).filter(({ value }) => own.has(`${value}`))
  for (const { value, path } of ids.slice(0, MOST_IDS)) {
    const leaves = await ask(world, [type, `${value}`], '', (body) => leavesIn(body))
    if (leaves && [...own].filter((leaf) => leaves.has(leaf)).length * 2 > own.size) return path
  }
  return undefined
}

/**
 * Requests the next page by each likely cursor. A cursor is proved if that page has other entities and another cursor. An
 * unlikely name is proved only if no other such name leads to a different page. Returns the path of the cursor, or an empty
 * one if there is none because that of the page was refuted.
 */
async function provedCursor(world: WorldData, page: EntityList, type: string, names: Known) {
  const { body, found, response } = interpretationOf(page) as Interpretation
  const likely = cursorsIn(body, response, names).map(({ path }) => path)
  const ids = new Set(page.entities.map(({ id }) => id))
  const others: Record<string, string> = {}
  let none: '' | undefined
  const keys = cursorsIn(body, response, names, CURSORS).filter(({ value }) => isKey(value))
  for (const { value, path } of keys.slice(0, MOST_CURSORS)) {
    const cursor = cursorFrom(`${value}`, response?.url)
    const next = await ask(world, [type], cursor, (body, _, response) =>
      pageFrom(body, { ...names, cursor: path }, type, undefined, response),
    )
    const isSame = next?.nextCursor === cursor || next?.entities.some(({ id }) => ids.has(id))
    if (next === null || isSame) none = path === found['cursor']?.path ? '' : none
    else if (next?.entities[0]) {
      if (likely.includes(path)) return path
      others[next.entities[0].id] ??= path
    }
  }
  const [only = none, other] = Object.values(others)
  return other ? none : only
}

/**
 * Returns the member paths of a walk's only page if its list may continue, else undefined. A total above the number of
 * entities read means that it continues; an end marker, or a limit with room left, that it ends. Without either, another
 * limit is tried: if that fails, or the entity count changes and no cursor is recognised, the list may continue.
 */
export async function doubtIn({
  page,
  isFirst,
  read,
  ask,
}: WalkEnd): Promise<Record<string, unknown> | undefined> {
  const { body, found, response } = interpretationOf(page) as Interpretation
  const { cursor, total, more } = found
  if (!isFirst) return undefined
  const details = { members: pathsIn(body) }
  if ((total?.value as number) > read || more?.value) return details
  if (cursor || !read || (page.limit as number) > read) return undefined
  const small = await ask(read > 1 ? 1 : 2).catch(() => ({ entities: [] as Entity[] }))
  const { cursor: next } = partsOf(small)
  // The cursor of a smaller page must not be one that was refuted on this page.
  const refuted = cursorsIn(body, response, {}, CURSORS.slice(0, 1))
  const isNew = next && refuted.every(({ path }) => path !== next.path)
  const count = small.entities.length
  return (count === read ? !refuted[0] : isNew && count < read) ? undefined : details
}

/** Returns the texts and numbers in a value, as text. */
function leavesIn(value: unknown, levels = 6, into = new Set<string>()): Set<string> {
  if (isKey(value)) into.add(`${value}`)
  else if (levels && isBranch(value)) for (const one of Object.values(value)) leavesIn(one, levels - 1, into)
  return into
}
