/** Background work that runs in small steps while the event loop is idle. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { writingIfFree } from './transaction.ts'

/** Maximum time for which one step holds the write lock, in milliseconds. Other writers wait meanwhile. */
export const STEP_MS = 4

/**
 * Runs `step` until it returns false, each time in its own transaction after a turn of the event loop. Stops early if
 * another connection holds the lock or `db` is closed. @throws StoreFault
 */
export async function inSteps(db: DatabaseSync, step: () => boolean): Promise<void> {
  for (let more = true; more; ) {
    await turn()
    if (!db.isOpen) return
    more = false
    writingIfFree(db, () => {
      more = step()
    })
  }
}

/**
 * Returns a function that runs `step` as `inSteps` does, unless the steps are already running. If a step fails, `undone` is
 * called, and the steps resume only when the returned function is called again.
 */
export function inBackground(db: DatabaseSync, step: () => boolean, undone: () => void): () => void {
  let running = false
  return () => {
    if (running) return
    running = true
    inSteps(db, step)
      .catch(undone)
      .finally(() => {
        running = false
      })
  }
}
