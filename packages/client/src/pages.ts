/**
 * Walking a list page by page. Names of other people's worlds are read too (decisions 7).
 */
import { WorldError } from './error.ts'
import type { Entity, EntityList } from './protocol.ts'
import { isObject } from './response.ts'

/** All entities of one type. Every iteration is a walk of its own, from the start. */
export interface Entities extends AsyncIterable<Entity> {
  /** The same walk by page: list bodies as received, unknown members and names included. */
  pages(): AsyncIterable<EntityList>
  /** The first entities of the walk, at most `max` of them. */
  toArray(options: { max: number }): Promise<Entity[]>
}

/** Asks for the page at a cursor and hands its body to `check`, which throws where the walk cannot go on. */
export type ListPage = (cursor: string | undefined, check: (body: unknown) => void) => Promise<EntityList>

const LISTS = ['entities', 'items', 'results', 'data', 'matches']
const CURSORS = ['nextCursor', 'next_cursor', 'next', 'cursor']

/**
 * The walk over the pages `list` gives. It ends where a page names no further cursor, and in no other way without an
 * error: a page without a list or with a cursor that is no string is `invalid_response`, a cursor that comes again
 * `pagination_loop`; in both cases all pages before that one have been delivered. An empty page with a cursor goes on.
 * Calls of `next()` may overlap: they are answered in order.
 */
export function walk(list: ListPage): Entities {
  async function* pages(): AsyncGenerator<EntityList, void, undefined> {
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      yield await list(cursor, (body) => {
        entitiesIn(body)
        cursor = cursorIn(body as object)
        if (cursor === undefined) return
        if (seen.has(cursor))
          throw new WorldError('pagination_loop', 'A cursor came twice.', { details: { cursor } })
        seen.add(cursor)
      })
    } while (cursor !== undefined)
  }
  async function* entities(): AsyncGenerator<Entity, void, undefined> {
    for await (const page of pages()) yield* entitiesIn(page)
  }
  return {
    pages,
    [Symbol.asyncIterator]: entities,
    async toArray({ max }) {
      const found: Entity[] = []
      if (max > 0) for await (const entity of entities()) if (found.push(entity) >= max) break
      return found
    },
  }
}

/**
 * The entities in a list body or discover output: the first member of a known name that is an array.
 * None: `invalid_response`, details `members`, the names that were there.
 */
export function entitiesIn(body: unknown): Entity[] {
  const members = isObject(body) ? body : {}
  const name = LISTS.find((name) => Array.isArray(members[name]))
  if (name) return members[name] as Entity[]
  throw new WorldError('invalid_response', 'The answer holds no list.', {
    details: { members: Object.keys(members) },
  })
}

function cursorIn(body: object): string | undefined {
  const members = new Map(Object.entries(body))
  const name = CURSORS.find((name) => members.has(name)) ?? ''
  const cursor = members.get(name) ?? undefined
  if (cursor === undefined || (cursor && typeof cursor === 'string')) return cursor
  // Taking it for the end would cut the walk short without a word.
  throw new WorldError('invalid_response', 'The next cursor is no string.', { details: { [name]: cursor } })
}
