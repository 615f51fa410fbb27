/** The heartbeat of what is being staged: it lives as long as it says so, and dies with its thread or process. */
import type { DatabaseSync } from 'node:sqlite'
import { HEARTBEAT_MS, type Staging } from './staging.ts'
import { writingIfFree } from './transaction.ts'

/** Says now and then that an import lives, until the returned function is called. */
export function startHeartbeat(db: DatabaseSync, staging: Staging, number: number): () => void {
  const timer = setInterval(() => {
    try {
      if (db.isOpen) writingIfFree(db, () => void staging.heartbeat(number))
      else clearInterval(timer)
    } catch {
      // One that is missed does not matter.
    }
  }, HEARTBEAT_MS).unref()
  return () => clearInterval(timer)
}
