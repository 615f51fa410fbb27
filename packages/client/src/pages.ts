/**
 * Walks over lists, page by page.
 */
import { assertArgument, fail, isText } from './error.ts'
import type { Entity, EntityList } from './protocol.ts'
import { entitiesIn, type WalkEnd } from './reader.ts'

/** All entities of one type. Each iteration is a separate walk. */
export interface Entities<E = Entity> extends AsyncIterable<E> {
  /** Yields the pages of a new walk, each as `list` returns it. */
  pages(): AsyncIterable<EntityList>
  /** Returns the first `max` entities of a new walk, or all if there are fewer. */
  toArray(options: { max: number }): Promise<E[]>
}

/** Options for walking the pages of a type. */
export interface WalkOptions {
  /** Number of entities to request per page. Default: the world's own limit. */
  pageSize?: number | undefined
  /** Maximum number of pages. A longer walk fails with `pagination_loop`. Default: no limit. */
  maxPages?: number | undefined
  /** Cursor, obtained from this world, at which the walk starts. Default: the beginning. */
  cursor?: string | undefined
}

/** Requests page number `count` (starting at 1) and passes the page to `check`, which throws if the walk cannot continue. */
export type ListPage = (
  cursor: string | undefined,
  before: EntityList | undefined,
  count: number,
  check: (page: EntityList) => void,
) => Promise<EntityList>

// Maximum cursor length, in characters. Servers may refuse longer URLs. Our own cursors have at most 1024.
const MAX_CURSOR = 4096
// Maximum number of consecutive empty pages. Callers get no entities meanwhile, so only the walk can detect a loop.
const MAX_EMPTY_PAGES = 100
// Maximum number of remembered cursors, so that an endless walk does not exhaust memory.
const MAX_SEEN = 5000

/**
 * Walks the pages that `list` returns. A walk succeeds only if its last page has no cursor and `ended` does not reject. It
 * fails with `invalid_response` for a page without an entity list or with an invalid cursor, and with `pagination_loop` for
 * a repeated cursor or too many empty pages, in each case after yielding all earlier pages. Calls of `next()` may overlap;
 * they resolve in order.
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
        if (!cursor) return
        if (empty > MAX_EMPTY_PAGES || seen.has(cursor)) fail('pagination_loop', { cursor })
        if (seen.size >= MAX_SEEN) seen.clear()
        seen.add(cursor)
      })
      yield page
    } while (cursor)
    await ended({ page, read, isFirst: count < 2 && start === undefined })
  }
  async function* entities(): AsyncGenerator<Entity, void, undefined> {
    for await (const page of pages()) yield* page.entities
  }
  return {
    pages,
    [Symbol.asyncIterator]: entities,
    async toArray({ max } = {} as { max: number }) {
      assertArgument(max >= 0, { max })
      const found: Entity[] = []
      if (max > 0) for await (const entity of entities()) if (found.push(entity) >= max) break
      return found
    },
  }
}

function cursorIn({ nextCursor }: { nextCursor?: unknown }): string | undefined {
  if (nextCursor == null) return undefined
  // Treating an invalid cursor as the end would silently truncate the walk.
  if (!isText(nextCursor) || !nextCursor || nextCursor.length > MAX_CURSOR)
    fail('invalid_response', { nextCursor })
  return nextCursor
}
