/** Heartbeat of an import: it shows that the import is alive, and ends with its thread or process. */
import type { DatabaseSync } from 'node:sqlite'
import { writingIfFree } from './transaction.ts'

/** Heartbeat interval of a running import, in milliseconds. */
export const HEARTBEAT_MS = 60_000

/** Calls `beat` in a transaction at intervals, unless another connection is writing, until the returned function is called. */
export function startHeartbeat(db: DatabaseSync, beat: () => void): () => void {
  const timer = setInterval(() => {
    try {
      if (db.isOpen) writingIfFree(db, beat)
      else clearInterval(timer)
    } catch {
      // A missed heartbeat does not matter.
    }
  }, HEARTBEAT_MS).unref()
  return () => clearInterval(timer)
}

/** Returns the seconds of a monotonic clock that all processes of a machine share: it starts from zero with the machine. */
export function heartbeatSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
