/** A list as it grows on the page: page after page, each asked for when it is wanted. */
import { type Entity, type World, WorldError } from '@worldwright/client'

/** Where one page of a walk begins. */
export interface PageStart {
  /** Rows before it. */
  readonly row: number
  /** The cursor that brings it; undefined for the first page of the list. */
  readonly cursor: string | undefined
}

/** What of a list has been read. Replaced whole with every step. */
export interface Walked {
  readonly entities: readonly Entity[]
  readonly starts: readonly PageStart[]
  /** As the world said with the last page; undefined where it says none. */
  readonly total: number | undefined
  /** Present where more can be asked for. */
  readonly nextCursor: string | undefined
  readonly isBegun: boolean
}

/** A walk that has not begun, from a cursor or from the start. */
export function walkFrom(cursor: string | undefined): Walked {
  return { entities: [], starts: [], total: undefined, nextCursor: cursor, isBegun: false }
}

/** Whether there is nothing more to ask for. */
export function isEnded(walked: Walked): boolean {
  return walked.isBegun && walked.nextCursor === undefined
}

/**
 * Reads the next page of a walk. Rejects as `list` does, with `invalid_response` where a page holds no list, and with
 * `pagination_loop` where a cursor comes again: the list would never end.
 */
export async function nextPage(
  world: Pick<World, 'entities' | 'list'>,
  type: string,
  walked: Walked,
  options: { limit: number; signal: AbortSignal },
): Promise<Walked> {
  const { nextCursor: cursor } = walked
  const page = await world.list(
    type,
    { limit: options.limit, cursor: cursor ?? null },
    { signal: options.signal },
  )
  const entities = listIn(page)
  const next = cursorIn(page)
  const isLoop =
    next !== undefined && (next === cursor || walked.starts.some((start) => start.cursor === next))
  if (isLoop) throw new WorldError('pagination_loop', 'A cursor came twice.', { details: { cursor: next } })
  const { total } = page as { total?: unknown }
  return {
    entities: [...walked.entities, ...entities],
    starts: [...walked.starts, { row: walked.entities.length, cursor }],
    total: typeof total === 'number' ? total : walked.total,
    nextCursor: next,
    isBegun: true,
  }
}

// The names that worlds written by others use; the client reads the same ones in its own walks (decisions 7).
const LISTS = ['entities', 'items', 'results', 'data', 'matches']
const CURSORS = ['nextCursor', 'next_cursor', 'next', 'cursor']

function listIn(page: object): Entity[] {
  const members = page as Record<string, unknown>
  const list = LISTS.map((name) => members[name]).find((value) => Array.isArray(value))
  if (list === undefined) {
    throw new WorldError('invalid_response', 'The answer holds no list.', {
      details: { members: Object.keys(page) },
    })
  }
  return (list as Entity[]).filter((entity) => typeof entity === 'object' && entity !== null)
}

function cursorIn(page: object): string | undefined {
  const members = page as Record<string, unknown>
  const cursor = members[CURSORS.find((name) => Object.hasOwn(members, name)) ?? '']
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined
}
