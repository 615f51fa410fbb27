/** A list within a view: it grows when asked to, and is still there when the reader comes back. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { createMemory } from '../world/memory.ts'
import type { Pages, Walked } from '../world/walk.ts'
import { WalkReader, type WalkState } from '../world/walk-reader.ts'

/** A list and how its reading stands. */
export interface Walk extends WalkState {
  /** What is shown is of the list before: the first page of this one is on its way. */
  readonly isStale: boolean
  /** Names this list on this entry of the history. */
  readonly entry: string
  /** Pixels that it was scrolled to when the reader left. */
  readonly offset: number
  /** Reads more of it, again, or no more. */
  readonly reader: WalkReader
  readonly note: (offset: number) => void
}

/** Entities asked for with each page: a few screens, and below what any world is likely to refuse. */
const PAGE_SIZE = 100

const left = createMemory<{ walked: Walked; offset: number }>(30)

/**
 * Walks a list from where it begins, or on from where this entry of the history left it. With another `asked` it is another
 * list: until its first page is there, what was read of the one before stays.
 */
export function useWalk(asked: string, pages: Pages, begin: () => Walked): Walk {
  const entry = `${entryKey()} ${asked}`
  const held = useRef<{ entry: string; reader: WalkReader; offset: number }>(undefined)
  const last = useRef<Walked>(undefined)
  const [, draw] = useReducer((number: number) => number + 1, 0)
  if (held.current?.entry !== entry) {
    const before = left.get(entry)
    const options = { pages, limit: PAGE_SIZE, begin: begin(), walked: before?.walked }
    const reader = new WalkReader({ ...options, onChange: () => draw(undefined) })
    held.current = { entry, reader, offset: before?.offset ?? 0 }
  }
  const { reader, offset } = held.current
  const { state } = reader
  // Its pages end with the view.
  const note = (offset: number) =>
    left.set(entry, { walked: { ...reader.state.walked, pages: undefined }, offset })

  useLayoutEffect(() => {
    if (!reader.state.walked.isBegun) reader.more()
    return () => reader.stop()
  }, [reader])

  useEffect(() => {
    if (state.walked.isBegun) last.current = state.walked
    note(left.get(entry)?.offset ?? 0)
  }, [state.walked])

  const isNew = !state.walked.isBegun && state.failure === undefined
  const walked = (isNew && last.current) || state.walked
  return { ...state, walked, isStale: isNew && last.current !== undefined, entry, offset, reader, note }
}
