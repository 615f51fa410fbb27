/** Noticing a worker that is stopped, or caught in an endless loop. */
import type { ChildProcess } from 'node:child_process'
import { HEARTBEAT, isHeartbeat } from './worker-messages.ts'

/** Unanswered questions after which a worker counts as unresponsive: nothing it does keeps it busy for so long. */
const UNANSWERED = 3

/**
 * Asks a worker for a sign of life every `everyMs` milliseconds, and calls `unresponsive` once where three in a row stay
 * unanswered. Counted in questions, not in time: after a pause of the whole machine, all answers are late.
 */
export function watchHeartbeat(worker: ChildProcess, everyMs: number, unresponsive: () => void): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered === UNANSWERED) {
      clearInterval(timer)
      unresponsive()
      return
    }
    unanswered += 1
    worker.send(HEARTBEAT, () => {})
  }, everyMs).unref()
  worker.on('message', (message) => {
    if (isHeartbeat(message)) unanswered = 0
  })
  worker.once('exit', () => clearInterval(timer))
}
