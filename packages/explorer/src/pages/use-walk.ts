/** A list within a view: it grows when asked to, and is still there when the reader comes back. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { type Failure, failureFrom } from '../world/failure.ts'
import { createMemory } from '../world/memory.ts'
import type { Pages } from '../world/pages.ts'
import type { Walked } from '../world/walk.ts'
import { WalkReader } from '../world/walk-reader.ts'

/** A list and how its reading stands. */
export interface Walk {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** What is shown is of the list before: the first page of this one is on its way. */
  readonly isStale: boolean
  /** Names this list on this entry of the history. */
  readonly entry: string
  /** Where it was scrolled to when the reader left. */
  readonly offset: number
  /** Reads the next page, unless one is on its way or there is none. */
  readonly more: () => void
  /** Reads the page before the first one, where it is known how it was reached. */
  readonly earlier: () => void
  readonly retry: () => void
  /** Reads the list from where it began, as it is now. */
  readonly restart: () => void
  readonly stop: () => void
  /** Notes where it is scrolled to. */
  readonly note: (offset: number) => void
}

/** Entities asked for with each page: a few screens, and below what any world is likely to refuse. */
const PAGE_SIZE = 100

interface Left {
  walked: Walked
  offset: number
}

const left = createMemory<Left>(30)

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
    const options = {
      pages,
      limit: PAGE_SIZE,
      begin: begin(),
      walked: before?.walked,
      failureFrom: failureOf,
    }
    const reader = new WalkReader({ ...options, onChange: () => draw(undefined) })
    held.current = { entry, reader, offset: before?.offset ?? 0 }
  }
  const { reader, offset } = held.current
  const { state } = reader
  const keep = (offset: number) => left.set(entry, { walked: withoutPages(reader.state.walked), offset })

  useLayoutEffect(() => {
    if (!reader.state.walked.isBegun) reader.more()
    return () => reader.stop()
  }, [reader])

  useEffect(() => {
    if (state.walked.isBegun) last.current = state.walked
    keep(left.get(entry)?.offset ?? 0)
  }, [state.walked])

  const isNew = !state.walked.isBegun && state.failure === undefined
  return {
    ...state,
    walked: (isNew && last.current) || state.walked,
    isStale: isNew && last.current !== undefined,
    entry,
    offset,
    more: () => void reader.more(),
    earlier: () => void reader.earlier(),
    retry: () => void reader.retry(),
    restart: () => void reader.restart(),
    stop: () => reader.stop(),
    note: keep,
  }
}

/** Its pages end with the view. */
function withoutPages(walked: Walked): Walked {
  return { ...walked, pages: undefined }
}

function failureOf(error: unknown): Failure {
  return failureFrom(error, { isOnline: navigator.onLine, isSecure: location.protocol === 'https:' })
}
