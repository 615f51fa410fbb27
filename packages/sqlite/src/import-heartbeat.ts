/** Heartbeat of an import. It stops when the import's thread or process dies. */
import type { DatabaseSync } from 'node:sqlite'
import { writingIfFree } from './transaction.ts'

/** Heartbeat interval of a running import, in milliseconds. */
export const HEARTBEAT_MS = 60_000

/** Calls `beat` regularly in a transaction, but not while another connection is writing. Returns a function to stop it. */
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

/** Returns the seconds since boot, from a monotonic clock that all processes of a machine share. */
export function heartbeatSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
