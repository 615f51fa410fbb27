/** A list as it grows on the page: page by page, each requested on demand. */
import { type Entity, type EntityList, type World, WorldError } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'

/** A list of entities that can be read from its start, or from a cursor on. */
export type Pages = (
  page: { readonly cursor: string | undefined; readonly pageSize: number },
  signal: AbortSignal,
) => AsyncIterable<EntityList>

/** Returns the list of a type (Level 1, route 2). */
export function pagesOfType(world: Pick<World, 'entities'>, type: string): Pages {
  return (page, signal) => world.entities(type, page, { signal }).pages()
}

/** Start of one page of a walk. */
export interface PageStart {
  /** Rows before it. */
  readonly row: number
  /** The cursor that leads to it; undefined for the first page of the list. */
  readonly cursor: string | undefined
}

/** The part of a list that has been read. Replaced as a whole with every step. */
export interface Walked {
  /** Number of entities before the first that was read, as far as is known. */
  readonly before: number
  /** Starts of the pages before that, with their rows counted from the start of the list; empty if unknown. */
  readonly trail: readonly PageStart[]
  readonly entities: readonly Entity[]
  readonly starts: readonly PageStart[]
  /** As reported with the last page; undefined if the world reports none. */
  readonly total: number | undefined
  /** Present if more can be requested. */
  readonly nextCursor: string | undefined
  readonly isBegun: boolean
  /** Reason why the last page may not be the end, and that page as received. */
  readonly doubt?: { readonly error: unknown; readonly page: unknown } | undefined
  /** The pages to come; absent if the next one is requested by its cursor. */
  readonly pages?: AsyncIterator<EntityList> | undefined
}

/** Returns a walk that has not begun, from a cursor or from the start; `trail` are the pages that led to the cursor. */
export function walkFrom(cursor: string | undefined, before = 0, trail: readonly PageStart[] = []): Walked {
  return { before, trail, entities: [], starts: [], total: undefined, nextCursor: cursor, isBegun: false }
}

/** Returns the pages that led to a row, and that row's own, with rows counted from the start of the list. */
export function trailTo(walked: Walked, row: number): PageStart[] {
  const here = walked.starts.filter((start) => start.row <= row)
  return [...walked.trail, ...here.map((start) => ({ ...start, row: start.row + walked.before }))]
}

/** Returns the pages that led to a cursor, as `trailTo` gave them before a reload; empty if anything else is in `note`. */
export function trailFrom(note: unknown, cursor: string | undefined): PageStart[] {
  if (!Array.isArray(note) || !note.every(isPageStart) || note.at(-1)?.cursor !== cursor) return []
  return note.slice(0, -1)
}

function isPageStart(value: unknown): value is PageStart {
  const { row, cursor } = Object(value) as Partial<Record<keyof PageStart, unknown>>
  return typeof row === 'number' && (cursor === undefined || typeof cursor === 'string')
}

/**
 * Reads the page before the entities read so far, by the last cursor of the trail. Entities added since, or present already,
 * are inserted once. Rejects as `list` does.
 */
export async function pageBefore(pages: Pages, walked: Walked, signal: AbortSignal): Promise<Walked> {
  const start = walked.trail.at(-1)
  if (start === undefined) return walked
  const pageSize = Math.max(1, walked.before - start.row)
  const page = pages({ cursor: start.cursor, pageSize }, signal)[Symbol.asyncIterator]()
  const { entities } = (await page.next()).value as EntityList
  const known = new Set(walked.entities.map(({ id }) => id))
  const added = entities.filter(({ id }) => !known.has(id))
  return {
    ...walked,
    before: start.row,
    trail: walked.trail.slice(0, -1),
    entities: [...added, ...walked.entities],
    starts: [
      { row: 0, cursor: start.cursor },
      ...walked.starts.map((one) => ({ ...one, row: one.row + added.length })),
    ],
  }
}

/** Reports whether there is nothing more to request. */
export function isEnded(walked: Walked): boolean {
  return walked.isBegun && walked.nextCursor === undefined
}

/**
 * Reads the next page of a walk. Rejects as `list` does, with `invalid_response` if a page holds no list, and with
 * `pagination_loop` if a cursor repeats: the list would never end. A page that may not be the last one is returned,
 * with the doubt about it. `signal` ends the whole walk.
 */
export async function nextPage(
  list: Pages,
  walked: Walked,
  options: { limit: number; signal: AbortSignal },
): Promise<Walked> {
  const { nextCursor: cursor, starts } = walked
  const { limit: pageSize, signal } = options
  const pages = walked.pages ?? list({ pageSize, cursor }, signal)[Symbol.asyncIterator]()
  const { value: page } = (await pages.next()) as { value: EntityList }
  const { nextCursor, total } = page
  const isLoop = nextCursor === cursor || starts.some((start) => start.cursor === nextCursor)
  if (nextCursor !== undefined && isLoop)
    throw new WorldError('pagination_loop', 'A cursor came twice.', { details: { cursor: nextCursor } })
  return {
    before: walked.before,
    trail: walked.trail,
    entities: [...walked.entities, ...page.entities],
    starts: [...starts, { row: walked.entities.length, cursor }],
    total: typeof total === 'number' ? total : walked.total,
    nextCursor,
    isBegun: true,
    doubt: nextCursor === undefined ? await doubtAfter(page, pages) : undefined,
    pages,
  }
}

/** Returns the client's objection to a page being the last one. */
async function doubtAfter(page: EntityList, pages: AsyncIterator<EntityList>): Promise<Walked['doubt']> {
  try {
    await pages.next()
    return undefined
  } catch (error) {
    return { error, page: interpretationOf(page)?.body ?? page }
  }
}
