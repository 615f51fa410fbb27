/**
 * Time limits and cancellation of a call and of each attempt in it.
 */
import { type ClientErrorCode, WorldError, type WorldErrorContext } from './error.ts'

/**
 * Runs `task` until it settles, `outer` aborts (`aborted`, with the signal's reason as `cause`), or `ms`
 * milliseconds pass without a call of `alive` by the task (`timeout`). Ends then even if the task ignores its signal.
 */
export function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  task: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Longest delay of timers, in milliseconds: beyond it they fire at once.
    const MAX_DELAY = 2 ** 31 - 1
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      // Aborts without an error as the reason: it would return through the body and look like an error of the answer.
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
