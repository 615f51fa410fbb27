/** Ends imports whose process died, and removes the rows that ended imports had staged. */
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'
import { HEARTBEAT_MS, heartbeatSeconds } from './import-heartbeat.ts'
import { query } from './row-query.ts'

/** Heartbeat age, in seconds, after which an import counts as dead even if its process is running. */
const DEAD_AFTER = (10 * HEARTBEAT_MS) / 1000

/** Rows removed between two checks of the clock. For the largest entities, this takes a few milliseconds. */
const REMOVED = 50

type ImportRow = [number: number, host: string, process: number, heartbeat: number]

/** Imports that have ended or whose process died. All methods but `giveUp` run in the caller's transaction. */
export class ExpiredImports {
  readonly #sql
  /** Numbers of aborted imports that are not yet marked as ended. */
  readonly #givenUp = new Set<number>()

  constructor(db: DatabaseSync) {
    this.#sql = statements(db)
  }

  /** Marks an import that cannot be ended now, so that the next `maintain` call ends it. Needs no transaction. */
  giveUp(number: number): void {
    this.#givenUp.add(number)
  }

  /** Spends about `milliseconds` removing an ended import's staged rows. Returns false if none are left. */
  removeSome(number: number, milliseconds: number): boolean {
    const deadline = performance.now() + milliseconds
    do {
      if (Number(this.#sql.removeSome.run(number).changes) < REMOVED) {
        this.#sql.forget.run(number)
        return false
      }
    } while (performance.now() < deadline)
    return true
  }

  /** Ends dead imports, then spends about `milliseconds` removing rows of an ended one. Returns false if there is none. */
  maintain(milliseconds: number): boolean {
    for (const row of this.#sql.running.all())
      if (this.#givenUp.has(row[0]) || isDead(row)) this.#sql.finish.run(row[0])
    const number = this.#sql.finished.get()?.[0]
    if (number !== undefined) this.removeSome(number, milliseconds)
    return number !== undefined
  }
}

/** Returns the fault for an import that was ended from outside. */
export function importExpired(): StoreFault {
  return new StoreFault('busy', 'This import expired: its process seemed to be gone. Start it again.')
}

/** Reports whether an import's process or thread seems dead. If it is alive after all, its import fails as expired. */
function isDead([, host, pid, heartbeat]: ImportRow): boolean {
  const now = heartbeatSeconds()
  // A heartbeat in the future was written before the last reboot.
  if (heartbeat < now - DEAD_AFTER || heartbeat > now) return true
  if (host !== hostname()) return false
  // A restarted container's process may have the same pid as before.
  if (pid === process.pid) return heartbeat < now - process.uptime()
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function statements(db: DatabaseSync) {
  return {
    finish: db.prepare('UPDATE imports SET finished = 1 WHERE import = ? AND NOT finished'),
    finished: query<[number]>(db, 'SELECT import FROM imports WHERE finished LIMIT 1'),
    running: query<ImportRow>(db, 'SELECT import, host, process, heartbeat FROM imports WHERE NOT finished'),
    removeSome: db.prepare(
      `DELETE FROM staged WHERE import = ?1 AND (type, id) IN (
         SELECT type, id FROM staged WHERE import = ?1 ORDER BY type, id LIMIT ${REMOVED}
       )`,
    ),
    forget: db.prepare('DELETE FROM imports WHERE import = ?'),
  }
}
