/** Detection of a worker that is stopped, or caught in an endless loop. */
import type { ChildProcess } from 'node:child_process'
import { HEARTBEAT, isHeartbeat } from './worker-messages.ts'

/** Unanswered heartbeats after which a worker counts as unresponsive: nothing it does keeps it busy for that long. */
const UNANSWERED = 3

/**
 * Sends a worker a heartbeat every `everyMs` milliseconds, and calls `unresponsive` once three in a row are unanswered. Counts
 * heartbeats, not time: after a pause of the whole machine, all answers are late.
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
