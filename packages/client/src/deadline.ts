/**
 * Timeouts and cancellation of calls and their attempts.
 */
import { type ClientErrorCode, WorldError, type WorldErrorContext } from './error.ts'

/**
 * Settles as `task` does. Rejects with `aborted` (the signal's reason is its `cause`) if `outer` aborts, or with `timeout`
 * after `ms` milliseconds in which `task` neither settled nor called `alive`, even if `task` ignores its signal.
 */
export function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  task: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Maximum timer delay, in milliseconds. A timer with a longer delay fires immediately.
    const MAX_DELAY = 2 ** 31 - 1
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      // Aborts without a reason: the body would reject with the reason, which would look like an error in the response.
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
