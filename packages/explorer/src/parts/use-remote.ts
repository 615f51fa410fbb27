/** Reading from a world within a view: what came, what failed, what is still on its way. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move } from '../navigation/navigation.ts'
import { type Failure, failureFrom, isAborted } from '../world/failure.ts'
import type { Memory } from '../world/memory.ts'

/** The state of a read: what came, why it failed, whether it runs. */
export interface Remote<T> {
  /** What came last; with `keep`, also what came for the key before. */
  readonly value: T | undefined
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Gives up waiting; what is there stays. */
  readonly stop: () => void
  /** Reads again. */
  readonly retry: () => void
}

/** How a read is to be treated. */
export interface RemoteOptions<T> {
  /** Shows the value of the key before until the new one is there. */
  readonly keep?: boolean
  /** Where values are kept for coming back: one that is there is shown at once. */
  readonly memory?: Memory<T>
  /** A value that is kept is not read again. */
  readonly once?: boolean
  /** The discovery document is what is read: a 404 then means that there is no world. */
  readonly isDocument?: boolean
}

interface Held<T> {
  readonly key: string | undefined
  readonly value?: T | undefined
  readonly failure?: Failure | undefined
  readonly isBusy: boolean
}

/**
 * Reads with `load` whenever `key` changes; an answer that is no longer wanted is dropped. No key: nothing is read. What
 * `load` shows on the way is the value until the whole is there, and stays if the rest fails.
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
    // Going back shows what was there. Coming here otherwise shows it at once, and reads it again.
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
