/** Background work: runs when nothing else is to be done, unless another connection is writing. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { writingIfFree } from './transaction.ts'

/** Time for which one step holds the lock, in milliseconds: other writers wait meanwhile. */
export const STEP_MS = 4

/**
 * Runs steps until one returns that none are left, each in a transaction of its own after a turn of the event loop. Ends early
 * if another connection holds the lock, or this one is closed. @throws StorageFault
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
 * Returns a function that begins such steps unless they are under way. `undone` is called if one fails; it is not tried again
 * before the function is called again.
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
