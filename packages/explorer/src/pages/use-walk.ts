/** A list within a view: it grows when asked to, and is still there when the reader comes back. */
import type { World } from '@worldwright/client'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { type Failure, failureFrom } from '../world/failure.ts'
import { createMemory } from '../world/memory.ts'
import type { Walked } from '../world/walk.ts'
import { WalkReader, type WalkState } from '../world/walk-reader.ts'

/** A list and how its reading stands. */
export interface Walk {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
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

/** Walks a type's list from where it begins, or on from where this entry of the history left it. */
export function useWalk(world: World, type: string, begin: Walked): Walk {
  const [entry] = useState(() => `${entryKey()} ${type}`)
  const [before] = useState(() => left.get(entry))
  const [state, setState] = useState<WalkState>()
  const [reader] = useState(
    () =>
      new WalkReader(world, {
        type,
        begin,
        limit: PAGE_SIZE,
        walked: before?.walked,
        failureFrom: failureOf,
        onChange: setState,
      }),
  )
  const current = state ?? reader.state
  const keep = (offset: number) => left.set(entry, { walked: withoutPages(reader.state.walked), offset })

  useLayoutEffect(() => {
    if (!reader.state.walked.isBegun) reader.more()
    return () => reader.stop()
  }, [])

  useEffect(() => keep(left.get(entry)?.offset ?? 0), [current.walked])

  return {
    ...current,
    offset: before?.offset ?? 0,
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
