/** Work that can wait: done when nothing else is to be done, as far as no other connection is writing. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { writingIfFree } from './transaction.ts'

/** How long one step holds the lock, in milliseconds: others wait for it meanwhile. */
export const STEP_MS = 4

/**
 * Takes steps until one says that no more are left, each in a transaction of its own after a turn of the event loop.
 * Ends early where another connection holds the lock, and where this one is closed. @throws StorageFault
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
 * A function that begins such steps where they are not under way. `undone` is told where one failed; it is not tried
 * again before the function is called again.
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
