/**
 * Walking a list page by page.
 */
import { assertArgument, fail, isText } from './error.ts'
import type { Entity, EntityList } from './protocol.ts'
import { entitiesIn, type WalkEnd } from './reader.ts'

/** All entities of one type. Every iteration is a walk of its own, from the start. */
export interface Entities<E = Entity> extends AsyncIterable<E> {
  /** Yields the same walk by page: list bodies as `list` returns them. */
  pages(): AsyncIterable<EntityList>
  /** Returns the first entities of the walk, at most `max` of them. */
  toArray(options: { max: number }): Promise<E[]>
}

/** Options of walking the pages of a type. */
export interface WalkOptions {
  /** Entities to request per page. Absent: the world's own limit. */
  pageSize?: number | undefined
  /** Maximum number of pages: `pagination_loop` if there are more. Default: no limit. */
  maxPages?: number | undefined
  /** Cursor of this world at which to begin. Default: the start. */
  cursor?: string | undefined
}

/** Requests a page of a walk, the first with `count` 1, and passes it to `check`, which throws if the walk cannot continue. */
export type ListPage = (
  cursor: string | undefined,
  before: EntityList | undefined,
  count: number,
  check: (page: EntityList) => void,
) => Promise<EntityList>

// Maximum cursor length, in characters, that servers still take in a URL; ours have at most 1024.
const MAX_CURSOR = 4096
// Maximum consecutive empty pages: without entities, only the walk itself can notice that they do not end.
const MAX_EMPTY_PAGES = 100
// Maximum cursors remembered: an endless walk must not fill the memory.
const MAX_SEEN = 5000

/**
 * Walks the pages that `list` returns. The walk ends if a page names no further cursor and `ended` raises no doubt, and
 * otherwise only with an error: a page without a list, or with a cursor that is not a string, is `invalid_response`; a
 * repeated cursor is `pagination_loop`. In both cases all pages before that one have been delivered. An empty
 * page with a cursor continues the walk. Calls of `next()` may overlap: they are answered in order.
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
  // Treating it as the end would cut the walk short silently.
  if (!isText(nextCursor) || !nextCursor || nextCursor.length > MAX_CURSOR)
    fail('invalid_response', { nextCursor })
  return nextCursor
}
