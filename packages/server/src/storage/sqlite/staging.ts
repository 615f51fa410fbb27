/** The tables of imports: what was staged, by which import, of which process. */
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type { PreparedEntity } from '../prepared.ts'
import { query } from './query.ts'

/** Statements over the staged entities, each within the transaction it is called in. */
export interface Staging {
  /** Begins an import of this process; its number is never used again. */
  begin(): number
  /** Keeps an import from looking forgotten. False where it is over. */
  touch(number: number): boolean
  /** Stages an entity, instead of an earlier one of its key. */
  put(number: number, prepared: PreparedEntity): void
  count(number: number): number
  /** The staged entities whose content is not what is stored, ascending by type, then id. */
  differing(number: number): Iterable<PreparedEntity>
  /** The ids of the stored entities of a type that were not staged. */
  unstaged(number: number, type: string): string[]
  /** Ends an import: what it staged is waste from now on. False where it was over already. */
  end(number: number): boolean
  /** The imports whose rows are waste: ended ones, and those of processes that are no more. */
  wasted(): number[]
  /** Removes a part of what an import that is waste staged. False where nothing is left of it. */
  removeSome(number: number): boolean
}

/** How many rows one transaction holds, so that it is short for whoever waits for the lock. */
export const BATCH = 1_000

/** An import that nobody touched for a day has been forgotten, in seconds. */
const FORGOTTEN_AFTER = 86_400

type ImportRow = [number: number, host: string, process: number, touched: number]

/** Prepares the statements. */
export function stagingTables(db: DatabaseSync): Staging {
  const begin = db.prepare('INSERT INTO imports (host, process, touched) VALUES (?, ?, ?)')
  const touch = db.prepare('UPDATE imports SET touched = ? WHERE import = ? AND NOT over')
  const put = db.prepare(
    'INSERT OR REPLACE INTO staged (import, type, id, revision, content) VALUES (?, ?, ?, ?, ?)',
  )
  const count = query<[number]>(db, 'SELECT count(*) FROM staged WHERE import = ?')
  const differing = query<[string, string, string, string]>(
    db,
    `SELECT type, id, revision, content FROM staged WHERE import = ? AND revision IS NOT (
       SELECT revision FROM entities WHERE entities.type = staged.type AND entities.id = staged.id
     ) ORDER BY type, id`,
  )
  const unstaged = query<[string]>(
    db,
    `SELECT id FROM entities WHERE type = ? AND NOT EXISTS (
       SELECT 1 FROM staged WHERE import = ? AND staged.type = entities.type AND staged.id = entities.id
     ) ORDER BY id`,
  )
  const end = db.prepare('UPDATE imports SET over = 1 WHERE import = ? AND NOT over')
  const ended = query<[number]>(db, 'SELECT import FROM imports WHERE over')
  const running = query<ImportRow>(db, 'SELECT import, host, process, touched FROM imports WHERE NOT over')
  const removeSome = db.prepare(
    `DELETE FROM staged WHERE import = ?1 AND (type, id) IN (
       SELECT type, id FROM staged WHERE import = ?1 ORDER BY type, id LIMIT ${BATCH}
     )`,
  )
  const forget = db.prepare('DELETE FROM imports WHERE import = ?')
  return {
    begin: () => Number(begin.run(hostname(), process.pid, seconds()).lastInsertRowid),
    touch: (number) => touch.run(seconds(), number).changes === 1,
    put(number, { type, id, revision, content }) {
      put.run(number, type, id, revision, content)
    },
    count: (number) => count.get(number)?.[0] ?? 0,
    *differing(number) {
      for (const [type, id, revision, content] of differing.iterate(number))
        yield { type, id, revision, content }
    },
    unstaged: (number, type) => unstaged.all(type, number).map(([id]) => id),
    end: (number) => end.run(number).changes === 1,
    wasted: () => [...ended.all(), ...running.all().filter(isDead)].map(([number]) => number),
    removeSome(number) {
      end.run(number)
      if (Number(removeSome.run(number).changes) === BATCH) return true
      forget.run(number)
      return false
    },
  }
}

function seconds(): number {
  return Date.now() / 1000
}

/** Whether the process of an import is no more. One wrongly taken for dead finds its import over, and says so. */
function isDead([, host, pid, touched]: ImportRow): boolean {
  if (touched < seconds() - FORGOTTEN_AFTER) return true
  if (host !== hostname()) return false
  // A container's process has the same number after every restart.
  if (pid === process.pid) return touched < seconds() - process.uptime()
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
