/**
 * Time limits and cancellation of a call and of each attempt in it.
 */
import { type ClientErrorCode, WorldError, type WorldErrorContext } from './error.ts'

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
    // The longest delay timers take; beyond it they fire at once.
    const MAX_DELAY = 2 ** 31 - 1
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      // Without an error as its reason: it would come back through the body and pass for one of the answer's.
      controller.abort()
    }
    const stop = (code: ClientErrorCode, context: WorldErrorContext) => {
      reject(new WorldError(code, undefined, context))
      end()
    }
    const aborted = () => stop('aborted', { cause: outer?.reason })
    const alive = () => {
      clearTimeout(timer)
      if (!signal.aborted)
        timer = setTimeout(() => stop('timeout', { details: { ms } }), Math.min(ms, MAX_DELAY))
    }
    if (outer?.aborted) return aborted()
    outer?.addEventListener('abort', aborted, { signal })
    alive()
    task(signal, alive).then(resolve, reject).finally(end)
  })
}
