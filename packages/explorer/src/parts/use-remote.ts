/** Reads from a world within a view: the value, the failure, and whether it is running. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move } from '../navigation/navigation.ts'
import { type Failure, failureFrom, isAborted } from '../world/failure.ts'
import type { Memory } from '../world/memory.ts'

/** State of a read: its value, its failure, and whether it is running. */
export interface Remote<T> {
  /** The last value; with `keep`, also that of the previous key. */
  readonly value: T | undefined
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Stops waiting; the value so far stays. */
  readonly stop: () => void
  /** Reads again. */
  readonly retry: () => void
}

/** Options of a read from a world. */
export interface RemoteOptions<T> {
  /** Shows the value of the previous key until the new one has arrived. */
  readonly keep?: boolean
  /** Cache of values for coming back: a cached value is shown immediately. */
  readonly memory?: Memory<T>
  /** Does not read a cached value again. */
  readonly once?: boolean
  /** True for a read of the discovery document: a 404 then means that there is no world. */
  readonly isDocument?: boolean
}

interface Held<T> {
  readonly key: string | undefined
  readonly value?: T | undefined
  readonly failure?: Failure | undefined
  readonly isBusy: boolean
}

/**
 * Reads with `load` whenever `key` changes; a stale answer is dropped. Without a key, nothing is read. What `load` shows
 * meanwhile is the value until all has arrived, and stays if the rest fails.
 */
export function useRemote<T>(
  key: string | undefined,
  load: (signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  { keep = false, memory, once = false, isDocument = false }: RemoteOptions<T> = {},
): Remote<T> {
  const [held, setHeld] = useState<Held<T>>({ key: undefined, isBusy: false })
  const [attempt, setAttempt] = useState(0)
  const running = useRef<AbortController>(undefined)

  // Before the paint, not after it: a search starts its request in the same turn as the key.
  useLayoutEffect(() => {
    if (key === undefined) return
    const known = attempt === 0 || once ? memory?.get(key) : undefined
    // Going back shows the cached value. Any other navigation shows it immediately, and reads it again.
    if (known !== undefined && (once || move.peek().kind === 'back')) {
      setHeld({ key, value: known, isBusy: false })
      return
    }
    const controller = new AbortController()
    running.current = controller
    setHeld((before) => ({ key, value: known ?? (keep ? before.value : undefined), isBusy: true }))
    let part: T | undefined
    const show = (shown: T) => {
      part = shown
      if (!controller.signal.aborted) setHeld({ key, value: part, isBusy: true })
    }
    load(controller.signal, show).then(
      (value) => {
        if (controller.signal.aborted) return
        memory?.set(key, value)
        setHeld({ key, value, isBusy: false })
      },
      (error: unknown) => {
        if (controller.signal.aborted || isAborted(error)) return
        setHeld({ key, value: part, failure: failureFrom(error, undefined, isDocument), isBusy: false })
      },
    )
    return () => controller.abort()
  }, [key, attempt])

  const current: Held<T> =
    held.key === key || keep
      ? held
      : { key, value: key === undefined ? undefined : memory?.get(key), isBusy: true }
  return {
    value: current.value,
    failure: current.failure,
    isBusy: current.isBusy,
    stop: () => {
      running.current?.abort()
      setHeld((before) => ({ ...before, isBusy: false }))
    },
    retry: () => setAttempt((number) => number + 1),
  }
}
