/** The heartbeat of an import: it lives as long as it says so, and dies with its thread or process. */
import type { DatabaseSync } from 'node:sqlite'
import { writingIfFree } from './transaction.ts'

/** How often a living import says that it lives, in milliseconds. */
export const HEARTBEAT_MS = 60_000

/** Calls `beat` in a transaction now and then, where no other connection is writing, until the returned function is called. */
export function startHeartbeat(db: DatabaseSync, beat: () => void): () => void {
  const timer = setInterval(() => {
    try {
      if (db.isOpen) writingIfFree(db, beat)
      else clearInterval(timer)
    } catch {
      // One that is missed does not matter.
    }
  }, HEARTBEAT_MS).unref()
  return () => clearInterval(timer)
}

/** Seconds of a clock that all processes of a machine share and nobody sets: with the machine it begins from zero. */
export function heartbeatSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9
}
