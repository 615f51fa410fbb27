/** Reads data from a world for a view. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move } from '../navigation/navigation.ts'
import { type Failure, failureFrom, isAborted } from '../world/failure.ts'
import type { Memory } from '../world/memory.ts'

/** State of a read: the value, the failure, and whether the read is in progress. */
export interface Remote<T> {
  /** The last value. If `keep` is set, it may belong to the previous key. */
  readonly value: T | undefined
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Aborts the read. The value received so far stays. */
  readonly stop: () => void
  /** Repeats the read. */
  readonly retry: () => void
}

/** Options for a read from a world. */
export interface RemoteOptions<T> {
  /** Keeps the value of the previous key until the value of the new key arrives. */
  readonly keep?: boolean
  /** Cache of values. A cached value is shown immediately. */
  readonly memory?: Memory<T>
  /** If true, a cached value is not read again. */
  readonly once?: boolean
  /** True for a read of the discovery document, where a 404 means that there is no world. */
  readonly isDocument?: boolean
}

interface Held<T> {
  readonly key: string | undefined
  readonly value?: T | undefined
  readonly failure?: Failure | undefined
  readonly isBusy: boolean
}

/**
 * Calls `load` when `key` changes, and drops responses for earlier keys. Reads nothing if `key` is undefined. Partial values
 * that `load` passes to `show` are the value until the read is complete, and stay if it fails.
 */
export function useRemote<T>(
  key: string | undefined,
  load: (signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  { keep = false, memory, once = false, isDocument = false }: RemoteOptions<T> = {},
): Remote<T> {
  const [held, setHeld] = useState<Held<T>>({ key: undefined, isBusy: false })
  const [attempt, setAttempt] = useState(0)
  const running = useRef<AbortController>(undefined)

  // A layout effect runs before painting, so that a search is requested in the same turn in which the key changes.
  useLayoutEffect(() => {
    if (key === undefined) return
    const known = attempt === 0 || once ? memory?.get(key) : undefined
    // After going back, a cached value is only shown. After any other navigation it is shown and then read again.
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
