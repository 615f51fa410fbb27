/** Reads lists in the form that the decisions define: pages, walks and totals. */
import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectObject, expectStatus } from '../http/expect.ts'
import { at, isObject, type JsonObject, written } from '../json/json.ts'
import { listRoute, types } from './subjects.ts'
import type { Target } from './target.ts'

/** A parsed page. `body` and `entities` have the right types, but their contents are not validated. */
export interface Page {
  readonly exchange: Exchange
  readonly body: JsonObject
  readonly entities: readonly JsonObject[]
  readonly ids: readonly unknown[]
}

/** Maximum number of types examined, since a world may have thousands. */
export const MOST_TYPES = 20
/** Maximum number of entities in a list that is walked to its end. */
const MOST_WALKED = 10_000

/** Reads a page. Fails unless the response is 200 with an array of objects in `entities`. */
export async function readPage(target: Target, type: string, query = ''): Promise<Page> {
  const exchange = await target.call(listRoute(type, query))
  expectStatus(exchange, 200)
  const body = expectObject(exchange)
  const entities = body['entities']
  demand(Array.isArray(entities) && entities.every(isObject), 'entities is not an array of objects', exchange)
  return { exchange, body, entities, ids: entities.map((entity: JsonObject) => entity['id']) }
}

/** Runs `work`, and fails if it changes the first page of the type's list. */
export async function expectUnchanged(
  target: Target,
  type: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { exchange: before } = await readPage(target, type)
  await work()
  const { exchange: after } = await readPage(target, type)
  demand(before.body.equals(after.body), 'the list changed', before, after)
}

/** Returns the next cursor of a page; fails if the page has none. */
export function cursorOf(page: Page): string {
  const cursor = page.body['nextCursor']
  demand(typeof cursor === 'string', 'the page has no nextCursor', page.exchange)
  return cursor
}

/** Returns the query for the page after a cursor. */
export function after(cursor: string, limit: number): string {
  return `?limit=${limit}&cursor=${encodeURIComponent(cursor)}`
}

/** Reads pages of `limit` entities to the end of the list, or until it has read `most` pages. */
export async function walk(target: Target, type: string, limit: number, most: number): Promise<Page[]> {
  const pages = [await readPage(target, type, `?limit=${limit}`)]
  for (;;) {
    const last = pages.at(-1)
    if (last === undefined || last.body['nextCursor'] === undefined || pages.length === most) return pages
    pages.push(await readPage(target, type, after(cursorOf(last), limit)))
  }
}

/** Returns the `total` of the list for each of the first MOST_TYPES types. */
export function census(target: Target): Promise<ReadonlyMap<string, number>> {
  return target.once('census', async () => {
    const counts = new Map<string, number>()
    for (const type of (await types(target)).slice(0, MOST_TYPES)) {
      const { body } = await readPage(target, type, '?limit=0')
      counts.set(type, Number(body['total']))
    }
    return counts
  })
}

/** Returns a type with at least `least` entities. Throws NotApplicable if there is none. */
export async function typeWith(target: Target, least: number): Promise<{ type: string; total: number }> {
  for (const [type, total] of await census(target)) if (total >= least) return { type, total }
  throw new NotApplicable(`no type of this world has ${least} entities`)
}

/** Returns the type with the fewest entities, but at least two. Throws NotApplicable if none is small enough to walk. */
export async function walkable(target: Target): Promise<{ type: string; total: number }> {
  const fitting = [...(await census(target))].filter(([, total]) => total >= 2 && total <= MOST_WALKED)
  const [first] = fitting.sort(([, a], [, b]) => a - b)
  if (first === undefined) throw new NotApplicable(`no type has between 2 and ${MOST_WALKED} entities`)
  return { type: first[0], total: first[1] }
}

/** Returns the number at `path` in the discovery document's `limits`. Throws NotApplicable if there is none. */
export async function statedLimit(target: Target, ...path: string[]): Promise<number> {
  const { document } = await target.document()
  const value = at(document, ['limits', ...path])
  if (!Number.isSafeInteger(value))
    throw new NotApplicable(`the document does not state limits.${written(path)}`)
  return value as number
}
