/** Being a worker of a pool: finishing in order when the primary says so, and not outliving it. */
import type { Listening } from '../adapters/node.ts'
import { FINISH } from './pool.ts'

/** How long a worker that finishes waits for connections that say nothing: a client may just be sending on one. */
const DRAIN_MS = 2_000

/**
 * Resolves when this worker shall end and has finished its requests: told to by the primary, by a signal, or because
 * the primary is gone. Open connections are told so with the next answer, so that no request is lost on one.
 */
export async function untilFinished(listening: Listening, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === FINISH) resolve()
    })
    process.on('disconnect', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await listening.close({ drainMs: DRAIN_MS })
}
