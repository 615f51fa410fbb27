/**
 * Walking a list page by page.
 */
import { assertArgument, fail, isText } from './error.ts'
import type { Entity, EntityList } from './protocol.ts'
import { entitiesIn, type WalkEnd } from './reader.ts'

/** All entities of one type. Every iteration is a walk of its own, from the start. */
export interface Entities<E = Entity> extends AsyncIterable<E> {
  /** The same walk by page: list bodies as `list` gives them. */
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
  /** Where to begin: a cursor that this world gave. Default: at the start. */
  cursor?: string | undefined
}

/** Asks for a page of a walk, the first with `count` 1, and hands it to `check`, which throws where it cannot go on. */
export type ListPage = (
  cursor: string | undefined,
  before: EntityList | undefined,
  count: number,
  check: (page: EntityList) => void,
) => Promise<EntityList>

// What goes into a URL that servers still take; ours have at most 1024 characters.
const MAX_CURSOR = 4096
// Without an entity in them nobody but the walk itself can notice that they do not end.
const MAX_EMPTY_PAGES = 100
// Cursors remembered at once: a walk without end must not fill the memory.
const MAX_SEEN = 5000

/**
 * The walk over the pages `list` gives. It ends where a page names no further cursor and `ended` has nothing against it,
 * and in no other way without an error: a page without a list or with a cursor that is no string is `invalid_response`,
 * a cursor that comes again `pagination_loop`; in both cases all pages before that one have been delivered. An empty
 * page with a cursor goes on. Calls of `next()` may overlap: they are answered in order.
 */
export function walk(
  list: ListPage,
  start: string | undefined,
  ended: (end: Omit<WalkEnd, 'ask' | 'pageSize'>) => Promise<void>,
): Entities {
  async function* pages(): AsyncGenerator<EntityList, void, undefined> {
    const seen = new Set<string>()
    let cursor = start
    let page: EntityList | undefined
    let count = 0
    let read = 0
    let empty = 0
    do {
      page = await list(cursor, page, ++count, (page) => {
        const { length } = entitiesIn(page).entities
        empty = length ? 0 : empty + 1
        read += length
        cursor = cursorIn(page)
        if (cursor === undefined) return
        if (empty > MAX_EMPTY_PAGES || seen.has(cursor)) fail('pagination_loop', { cursor })
        if (seen.size >= MAX_SEEN) seen.clear()
        seen.add(cursor)
      })
      yield page
    } while (cursor !== undefined)
    await ended({ page, read, isFirst: count < 2 && start === undefined })
  }
  async function* entities(): AsyncGenerator<Entity, void, undefined> {
    for await (const page of pages()) yield* page.entities
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

function cursorIn({ nextCursor }: { nextCursor?: unknown }): string | undefined {
  if (nextCursor == null) return undefined
  // Taking it for the end would cut the walk short without a word.
  if (!isText(nextCursor) || !nextCursor || nextCursor.length > MAX_CURSOR)
    fail('invalid_response', { nextCursor })
  return nextCursor
}
