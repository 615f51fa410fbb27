/** The pages on the way down a list, noted with an entry of the history. */
import type { PageStart } from '../world/walk.ts'

/** The pages that led to a cursor, as they were noted before a reload; none where anything else was noted. */
export function trailFrom(note: unknown, cursor: string | undefined): PageStart[] {
  if (!Array.isArray(note) || !note.every(isPageStart) || note.at(-1)?.cursor !== cursor) return []
  return note.slice(0, -1)
}

function isPageStart(value: unknown): value is PageStart {
  const { row, cursor } = Object(value) as Partial<Record<keyof PageStart, unknown>>
  return typeof row === 'number' && (cursor === undefined || typeof cursor === 'string')
}
