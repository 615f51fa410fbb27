/**
 * Walking a list page by page. Names of other people's worlds are read too (decisions 7).
 */
import { assertArgument, fail, WorldError } from './error.ts'
import { type Entity, type EntityList, isObject } from './protocol.ts'

/** All entities of one type. Every iteration is a walk of its own, from the start. */
export interface Entities<E = Entity> extends AsyncIterable<E> {
  /** The same walk by page: list bodies as received, unknown members and names included. */
  pages(): AsyncIterable<EntityList>
  /** The first entities of the walk, at most `max` of them. */
  toArray(options: { max: number }): Promise<E[]>
}

/** How the pages of a type are walked. */
export interface WalkOptions {
  /** Entities asked for per page. Absent: the world's own limit. */
  pageSize?: number | undefined
  /** At most so many pages: `pagination_loop` where there are more. Default: no limit. */
  maxPages?: number | undefined
}

/** Asks for the page at a cursor and hands its body to `check`, which throws where the walk cannot go on. */
export type ListPage = (cursor: string | undefined, check: (body: unknown) => void) => Promise<EntityList>

const LISTS = ['entities', 'items', 'results', 'data', 'matches']
const CURSORS = ['nextCursor', 'next_cursor', 'next', 'cursor']
// What goes into a URL that servers still take; ours have at most 1024 characters.
const MAX_CURSOR = 4096
// Without an entity in them nobody but the walk itself can notice that they do not end.
const MAX_EMPTY_PAGES = 100
// Cursors remembered at once: a walk without end must not fill the memory.
const MAX_SEEN = 5000

/**
 * The walk over the pages `list` gives. It ends where a page names no further cursor, and in no other way without an
 * error: a page without a list or with a cursor that is no string is `invalid_response`, a cursor that comes again
 * `pagination_loop`; in both cases all pages before that one have been delivered. An empty page with a cursor goes on.
 * Calls of `next()` may overlap: they are answered in order.
 */
export function walk(list: ListPage, { maxPages = Number.POSITIVE_INFINITY }: WalkOptions = {}): Entities {
  async function* pages(): AsyncGenerator<EntityList, void, undefined> {
    const seen = new Set<string>()
    let cursor: string | undefined
    assertArgument(maxPages > 0, { maxPages })
    let left = maxPages
    let empty = 0
    do {
      if (left-- <= 0) {
        const details = { maxPages }
        throw new WorldError('pagination_loop', `There are more pages than maxPages allows: ${maxPages}.`, {
          details,
        })
      }
      yield await list(cursor, (body) => {
        empty = entitiesIn(body).length ? 0 : empty + 1
        cursor = cursorIn(body as object)
        if (cursor === undefined) return
        if (seen.has(cursor) || empty > MAX_EMPTY_PAGES) fail('pagination_loop', { cursor })
        if (seen.size >= MAX_SEEN) seen.clear()
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
    async toArray({ max } = { max: Number.NaN }) {
      assertArgument(max >= 0, { max })
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
  const members: Record<string, unknown> = isObject(body) ? body : {}
  const name = LISTS.find((name) => Array.isArray(members[name]))
  return name ? (members[name] as Entity[]) : fail('invalid_response', { members: Object.keys(members) })
}

function cursorIn(body: object): string | undefined {
  const members = new Map(Object.entries(body))
  const name = CURSORS.find((name) => members.has(name)) ?? ''
  const cursor = members.get(name) ?? undefined
  if (cursor === undefined || (cursor && typeof cursor === 'string' && cursor.length <= MAX_CURSOR))
    return cursor
  // Taking it for the end would cut the walk short without a word.
  return fail('invalid_response', { [name]: cursor })
}
