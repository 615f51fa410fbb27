/** List that is read page by page. Each page is requested on demand. */
import { type Entity, type EntityList, type World, WorldError } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'

/** Returns the pages of a list, beginning at a cursor or, if `cursor` is undefined, at the start of the list. */
export type Pages = (
  page: { readonly cursor: string | undefined; readonly pageSize: number },
  signal: AbortSignal,
) => AsyncIterable<EntityList>

/** Returns the pages of the list of a type (Level 1, route 2). */
export function pagesOfType(world: Pick<World, 'entities'>, type: string): Pages {
  return (page, signal) => world.entities(type, page, { signal }).pages()
}

/** Start of a page within a walk. */
export interface PageStart {
  /** Number of rows before the page. */
  readonly row: number
  /** Cursor of the page, or undefined for the first page of the list. */
  readonly cursor: string | undefined
}

/** The part of a list that has been read. It is immutable, so each step returns a new object. */
export interface Walked {
  /** Number of entities that precede the first entity read, or 0 if unknown. */
  readonly before: number
  /** Starts of the pages before the first page read. Rows count from the start of the list. Empty if they are unknown. */
  readonly trail: readonly PageStart[]
  readonly entities: readonly Entity[]
  readonly starts: readonly PageStart[]
  /** The latest total that a page reported. Undefined if no page has reported a total. */
  readonly total: number | undefined
  /** Cursor of the next page. Undefined if that is the first page of the list or if the list has ended. */
  readonly nextCursor: string | undefined
  readonly isBegun: boolean
  /** Present if the last page may not be the end of the list: the error of the client, and the page as received. */
  readonly doubt?: { readonly error: unknown; readonly page: unknown } | undefined
  /** Iterator over the remaining pages. If absent, the next page is requested by its cursor. */
  readonly pages?: AsyncIterator<EntityList> | undefined
}

/** Returns a walk that will begin at a cursor or at the start of the list. `trail` contains the starts of earlier pages. */
export function walkFrom(cursor: string | undefined, before = 0, trail: readonly PageStart[] = []): Walked {
  return { before, trail, entities: [], starts: [], total: undefined, nextCursor: cursor, isBegun: false }
}

/** Returns the starts of all pages up to the one that contains `row`. Their rows count from the start of the list. */
export function trailTo(walked: Walked, row: number): PageStart[] {
  const here = walked.starts.filter((start) => start.row <= row)
  return [...walked.trail, ...here.map((start) => ({ ...start, row: start.row + walked.before }))]
}

/** Returns the trail to a cursor from `note`, a result of `trailTo`. Returns an empty array if `note` is anything else. */
export function trailFrom(note: unknown, cursor: string | undefined): PageStart[] {
  if (!Array.isArray(note) || !note.every(isPageStart) || note.at(-1)?.cursor !== cursor) return []
  return note.slice(0, -1)
}

function isPageStart(value: unknown): value is PageStart {
  const { row, cursor } = Object(value) as Partial<Record<keyof PageStart, unknown>>
  return typeof row === 'number' && (cursor === undefined || typeof cursor === 'string')
}

/**
 * Reads the page before the first loaded page, by the last cursor of the trail. Inserts those of its entities that have not
 * been read yet, including any added later. Rejects as the page iterator does.
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

/** Reports whether the end of the list has been reached. */
export function isEnded(walked: Walked): boolean {
  return walked.isBegun && walked.nextCursor === undefined
}

/**
 * Reads the next page of a walk. Rejects as the page iterator does, with `invalid_response` if a page contains no list, and
 * with `pagination_loop` if a cursor repeats, since the list would never end. The result has a `doubt` if the page may not
 * be the end of the list. `signal` aborts the whole walk.
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

/** Returns the client's error and the page if the client doubts that the page is the last one. Undefined otherwise. */
async function doubtAfter(page: EntityList, pages: AsyncIterator<EntityList>): Promise<Walked['doubt']> {
  try {
    await pages.next()
    return undefined
  } catch (error) {
    return { error, page: interpretationOf(page)?.body ?? page }
  }
}
