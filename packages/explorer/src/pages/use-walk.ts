/** A list within a view: it grows on request, and is still there when the user comes back. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { createMemory } from '../world/memory.ts'
import type { Pages, Walked } from '../world/walk.ts'
import { WalkReader, type WalkState } from '../world/walk-reader.ts'

/** A list and the state of reading it. */
export interface Walk extends WalkState {
  /** True if the previous list is shown while the first page of this one is loading. */
  readonly isStale: boolean
  /** Key of this list on this history entry. */
  readonly entry: string
  /** Scroll position when the user left, in pixels. */
  readonly offset: number
  /** Reads more of it, retries, or stops. */
  readonly reader: WalkReader
  readonly note: (offset: number) => void
}

/** Entities requested per page: a few screens, and below what any world is likely to refuse. */
const PAGE_SIZE = 100

const left = createMemory<{ walked: Walked; offset: number }>(30)

/**
 * Walks a list from its beginning, or from where this history entry left it. Another `asked` is another list: until its first
 * page has arrived, the entities of the previous one stay.
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
  // Its iterator of pages ends with the view.
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
