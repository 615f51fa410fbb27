/** A list within a view: it grows when asked to, and is still there when the reader comes back. */
import type { World } from '@worldwright/client'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { entryKey } from '../navigation/navigation.ts'
import { type Failure, failureFrom, isAborted } from '../world/failure.ts'
import { createMemory } from '../world/memory.ts'
import { isEnded, nextPage, type Walked, walkFrom } from '../world/walk.ts'

/** A list and how its reading stands. */
export interface Walk {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Where it was scrolled to when the reader left. */
  readonly offset: number
  /** Reads the next page, unless one is on its way or there is none. */
  readonly more: () => void
  readonly retry: () => void
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

/** Walks a type's list from a cursor, or on from where this entry of the history left it. */
export function useWalk(world: World, type: string, cursor: string | undefined): Walk {
  const [entry] = useState(() => `${entryKey()} ${type}`)
  const [state, setState] = useState(() => ({
    walked: left.get(entry)?.walked ?? walkFrom(cursor),
    failure: undefined as Failure | undefined,
    isBusy: false,
  }))
  const [offset] = useState(() => left.get(entry)?.offset ?? 0)
  const running = useRef<AbortController>(undefined)
  const current = useRef(state)
  current.current = state

  function more() {
    if (running.current !== undefined || isEnded(current.current.walked)) return
    const controller = new AbortController()
    running.current = controller
    setState((before) => ({ ...before, failure: undefined, isBusy: true }))
    nextPage(world, type, current.current.walked, { limit: PAGE_SIZE, signal: controller.signal })
      .then(
        (walked) => {
          if (!controller.signal.aborted) setState({ walked, failure: undefined, isBusy: false })
        },
        (error: unknown) => {
          if (controller.signal.aborted || isAborted(error)) return
          const around = { isOnline: navigator.onLine, isSecure: location.protocol === 'https:' }
          setState((before) => ({ ...before, failure: failureFrom(error, around), isBusy: false }))
        },
      )
      .finally(() => {
        if (running.current === controller) running.current = undefined
      })
  }

  useLayoutEffect(() => {
    if (!current.current.walked.isBegun) more()
  }, [])

  useEffect(() => {
    left.set(entry, { walked: state.walked, offset: left.get(entry)?.offset ?? 0 })
  }, [state.walked])

  useEffect(
    () => () => {
      running.current?.abort()
      running.current = undefined
    },
    [],
  )

  return {
    ...state,
    offset,
    more,
    retry: more,
    stop: () => {
      running.current?.abort()
      running.current = undefined
      setState((before) => ({ ...before, isBusy: false }))
    },
    note: (to) => left.set(entry, { walked: current.current.walked, offset: to }),
  }
}
