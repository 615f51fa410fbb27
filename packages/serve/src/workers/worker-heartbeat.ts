import type { ChildProcess } from 'node:child_process'
import { HEARTBEAT, has } from './worker-messages.ts'

/** Unanswered heartbeats after which a worker counts as unresponsive. No regular work takes that long. */
const UNANSWERED = 3

/**
 * Sends a worker a heartbeat every `everyMs` milliseconds, and calls `unresponsive` after three consecutive unanswered ones.
 * Counts heartbeats rather than time, because all responses are late after the machine was suspended.
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
    if (has(message, 'heartbeat')) unanswered = 0
  })
  worker.once('exit', () => clearInterval(timer))
}
