/** State of a list within a view. The list grows on request and is restored when the user returns to it. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { createMemory } from '../world/memory.ts'
import type { Pages, Walked } from '../world/walk.ts'
import { WalkReader, type WalkState } from '../world/walk-reader.ts'

/** The loaded part of a list, and the state of reading it. */
export interface Walk extends WalkState {
  /** True if the entities are those of the previous list, because the first page of this list is still loading. */
  readonly isStale: boolean
  /** Key that identifies this list within the current history entry. */
  readonly entry: string
  /** Scroll position to restore, in pixels. */
  readonly offset: number
  /** Reader of the list, for loading more, retrying and stopping. */
  readonly reader: WalkReader
  readonly note: (offset: number) => void
}

/** Number of entities requested per page. It fills a few screens and is below the limit of most worlds. */
const PAGE_SIZE = 100

const left = createMemory<{ walked: Walked; offset: number }>(30)

/**
 * Reads a list from its beginning, or from the state stored for the current history entry. `asked` identifies the list. When
 * it changes, the entities of the previous list stay until the first page of the new list arrives.
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
  // The page iterator is not stored, since it ends when the view is closed.
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
