/**
 * Time limits and cancellation of a call and of each attempt in it.
 */
import { WorldError } from './error.ts'

// The longest delay timers take; beyond it they fire at once.
const MAX_DELAY = 2 ** 31 - 1

/**
 * Runs `task` until it settles, `outer` aborts (`aborted`, with the signal's reason as `cause`), or `ms`
 * milliseconds pass without the task calling `alive` (`timeout`). It ends then even when the task ignores the
 * signal it was given.
 */
export function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  task: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', aborted)
    }
    const stop = (error: WorldError) => {
      end()
      reject(error)
      // Without the error as its reason: it would come back through the body and pass for one of the answer's.
      controller.abort()
    }
    const aborted = () => stop(new WorldError('aborted', 'The call was aborted.', { cause: outer?.reason }))
    const late = () => stop(new WorldError('timeout', `No answer in ${ms} ms.`))
    const alive = () => {
      clearTimeout(timer)
      if (!controller.signal.aborted) timer = setTimeout(late, Math.min(ms, MAX_DELAY))
    }
    if (outer?.aborted) return aborted()
    outer?.addEventListener('abort', aborted)
    alive()
    task(controller.signal, alive).then(resolve, reject).finally(end)
  })
}

/** Waits `ms` milliseconds, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return within(ms, signal, () => new Promise<void>(() => {})).catch(() => {})
}
