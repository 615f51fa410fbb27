/** Cleanup after imports: those whose process died are ended, and the rows that ended ones staged are removed. */
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { StorageFault } from '@worldwright/core/store'
import { HEARTBEAT_MS, heartbeatSeconds } from './import-heartbeat.ts'
import { query } from './row-query.ts'

/** Age of the last heartbeat after which an import is dead, in seconds, even if its process is alive. */
const DEAD_AFTER = (10 * HEARTBEAT_MS) / 1000

/** Rows removed between two checks of the time: for the largest entities, some milliseconds. */
const REMOVED = 50

type ImportRow = [number: number, host: string, process: number, heartbeat: number]

/** Imports that died or ended; each method runs in the transaction it is called in. */
export class ExpiredImports {
  readonly #sql
  /** Imports that could not be ended when they should have been. */
  readonly #givenUp = new Set<number>()

  /** Prepares the statements. */
  constructor(db: DatabaseSync) {
    this.#sql = statements(db)
  }

  /** Leaves an import that cannot be ended now to `maintain`. Needs no transaction. */
  giveUp(number: number): void {
    this.#givenUp.add(number)
  }

  /** Removes rows that an ended import staged, for about this many milliseconds. Returns false if none are left. */
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

  /** Ends dead imports, and removes rows of one that has ended for this long. Returns false if there was none. */
  maintain(milliseconds: number): boolean {
    for (const row of this.#sql.running.all())
      if (this.#givenUp.has(row[0]) || isDead(row)) this.#sql.finish.run(row[0])
    const number = this.#sql.finished.get()?.[0]
    if (number !== undefined) this.removeSome(number, milliseconds)
    return number !== undefined
  }
}

/** Returns the fault of an import that was ended by another process. */
export function importExpired(): StorageFault {
  return new StorageFault('busy', 'This import expired: its process seemed to be gone. Start it again.')
}

/** Reports whether the process or thread of an import is gone. If that is wrong, the import finds that it has expired. */
function isDead([, host, pid, heartbeat]: ImportRow): boolean {
  const now = heartbeatSeconds()
  // A heartbeat in the future is from before the machine was started.
  if (heartbeat < now - DEAD_AFTER || heartbeat > now) return true
  if (host !== hostname()) return false
  // A container's process has the same number after every restart.
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
