/** The tables of imports: what was staged, by which import, of which process. */
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type { PreparedEntity } from '../prepared.ts'
import { batchOf } from './batch.ts'
import { query } from './query.ts'

/** Statements over the staged entities, each within the transaction it is called in. */
export interface Staging {
  /** Begins an import of this process; its number is never used again. */
  begin(): number
  /** Keeps an import from looking dead: to be called every `PULSE_MS`. False where it is over. */
  touch(number: number): boolean
  /** Stages an entity. False, with nothing done, where one of its key is staged already. */
  put(number: number, prepared: PreparedEntity): boolean
  count(number: number): number
  /** The staged entities whose content is not what is stored, ascending by type, then id. */
  differing(number: number): Iterable<PreparedEntity>
  /** How many staged entities are new, and how many are other than what is stored. */
  tally(number: number): { readonly created: number; readonly changed: number }
  /** A batch of staged entities in order, after the key of one, each with what is stored under it where the two differ. */
  compared(number: number, after: EntityKey): Compared[]
  /** A batch of the stored entities of a type in order, after an id: each with its JSON where nothing was staged under it. */
  leftOver(number: number, type: string, after: string): LeftOver[]
  /** Puts all that was staged and differs in place, at a moment (RFC 3339). */
  putAll(number: number, at: string): void
  /** Deletes the stored entities of a type that were not staged. */
  deleteLeftOver(number: number, type: string): void
  /** The ids of the stored entities of a type that were not staged. */
  unstaged(number: number, type: string): string[]
  /** How many they are. */
  countUnstaged(number: number, type: string): number
  /** Ends an import: what it staged is waste from now on. False where it was over already. */
  end(number: number): boolean
  /** Takes an import that could not be ended now for dead, so that `tidy` ends it. Needs no transaction. */
  giveUp(number: number): void
  /** Removes for about so many milliseconds what an import that is over staged. False where nothing is left of it. */
  removeSome(number: number, milliseconds: number): boolean
  /** Ends dead imports, and removes for so long what one that is over staged. False where there was none. */
  tidy(milliseconds: number): boolean
}

/** What an entity is stored or staged under. */
export interface EntityKey {
  readonly type: string
  readonly id: string
}

/** A staged entity against what is stored: `content` is absent where it is the same, `json` where nothing is there. */
export interface Compared extends EntityKey {
  readonly content: string | null
  readonly json: string | null
}

/** A stored entity; `json` is absent where something was staged under its key. */
export interface LeftOver {
  readonly id: string
  readonly json: string | null
}

/** How often a living import is touched, in milliseconds. */
export const PULSE_MS = 60_000

/** An import that was not touched for ten pulses is dead, whatever lives of its process: in seconds. */
const DEAD_AFTER = (10 * PULSE_MS) / 1000

/** Rows removed between two looks at the time: of the largest entities, some milliseconds. */
const REMOVED = 50

type ImportRow = [number: number, host: string, process: number, touched: number]

/** Prepares the statements. */
export function stagingTables(db: DatabaseSync): Staging {
  const begin = db.prepare('INSERT INTO imports (host, process, heartbeat) VALUES (?, ?, ?)')
  const touch = db.prepare('UPDATE imports SET heartbeat = ? WHERE import = ? AND NOT finished')
  const put = db.prepare(
    'INSERT INTO staged (import, type, id, revision, content) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const count = query<[number]>(db, 'SELECT count(*) FROM staged WHERE import = ?')
  const differing = query<[string, string, string, string]>(
    db,
    `SELECT type, id, revision, content FROM staged WHERE import = ? AND revision IS NOT (
       SELECT revision FROM entities WHERE entities.type = staged.type AND entities.id = staged.id
     ) ORDER BY type, id`,
  )
  const tally = query<[number, number]>(
    db,
    `SELECT coalesce(sum(entities.id IS NULL), 0), coalesce(sum(entities.revision <> staged.revision), 0)
     FROM staged LEFT JOIN entities USING (type, id) WHERE import = ?`,
  )
  const areUnstaged = `FROM entities WHERE type = ? AND NOT EXISTS (
       SELECT 1 FROM staged WHERE import = ? AND staged.type = entities.type AND staged.id = entities.id
     )`
  const unstaged = query<[string]>(db, `SELECT id ${areUnstaged} ORDER BY id`)
  const countUnstaged = query<[number]>(db, `SELECT count(*) ${areUnstaged}`)
  const compared = query<[string, string, string | null, string | null]>(
    db,
    `SELECT s.type, s.id, CASE WHEN e.revision IS NOT s.revision THEN s.content END,
       CASE WHEN e.revision IS NOT s.revision THEN e.json END
     FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
     WHERE s.import = ?1 AND (s.type, s.id) > (?2, ?3) ORDER BY s.type, s.id`,
  )
  const leftOver = query<[string, string | null]>(
    db,
    `SELECT id, CASE WHEN NOT EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = e.type AND s.id = e.id
     ) THEN json END FROM entities e WHERE type = ?2 AND id > ?3 ORDER BY id`,
  )
  // As `storedFrom` writes it, without taking every row through this process.
  const putAll = db.prepare(
    `INSERT INTO entities (type, id, revision, json)
     SELECT s.type, s.id, s.revision, substr(s.content, 1, length(s.content) - 1) || ',"createdAt":"' ||
       coalesce(json_extract(e.json, '$.createdAt'), ?2) || '","updatedAt":"' || ?2 || '","revision":"' ||
       s.revision || '"}'
     FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
     WHERE s.import = ?1 AND e.revision IS NOT s.revision
     ON CONFLICT (type, id) DO UPDATE SET revision = excluded.revision, json = excluded.json`,
  )
  const deleteLeftOver = db.prepare(
    `DELETE FROM entities WHERE type = ?2 AND NOT EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = entities.type AND s.id = entities.id
     )`,
  )
  const end = db.prepare('UPDATE imports SET finished = 1 WHERE import = ? AND NOT finished')
  const over = query<[number]>(db, 'SELECT import FROM imports WHERE finished LIMIT 1')
  const running = query<ImportRow>(
    db,
    'SELECT import, host, process, heartbeat FROM imports WHERE NOT finished',
  )
  const removeSome = db.prepare(
    `DELETE FROM staged WHERE import = ?1 AND (type, id) IN (
       SELECT type, id FROM staged WHERE import = ?1 ORDER BY type, id LIMIT ${REMOVED}
     )`,
  )
  const forget = db.prepare('DELETE FROM imports WHERE import = ?')
  const givenUp = new Set<number>()

  function endDead(): void {
    for (const row of running.all()) if (givenUp.has(row[0]) || isDead(row)) end.run(row[0])
  }

  function remove(number: number, milliseconds: number): boolean {
    const deadline = performance.now() + milliseconds
    do {
      if (Number(removeSome.run(number).changes) < REMOVED) {
        forget.run(number)
        return false
      }
    } while (performance.now() < deadline)
    return true
  }

  return {
    begin: () => Number(begin.run(hostname(), process.pid, seconds()).lastInsertRowid),
    touch: (number) => touch.run(seconds(), number).changes === 1,
    put: (number, { type, id, revision, content }) =>
      put.run(number, type, id, revision, content).changes === 1,
    count: (number) => count.get(number)?.[0] ?? 0,
    *differing(number) {
      for (const [type, id, revision, content] of differing.iterate(number))
        yield { type, id, revision, content }
    },
    tally(number) {
      const [created, changed] = tally.get(number) ?? [0, 0]
      return { created, changed }
    },
    compared: (number, after) =>
      batchOf(compared.iterate(number, after.type, after.id), ([, , content, json]) => [content, json]).map(
        ([type, id, content, json]) => ({ type, id, content, json }),
      ),
    leftOver: (number, type, after) =>
      batchOf(leftOver.iterate(number, type, after), ([, json]) => [json]).map(([id, json]) => ({
        id,
        json,
      })),
    putAll(number, at) {
      putAll.run(number, at)
    },
    deleteLeftOver(number, type) {
      deleteLeftOver.run(number, type)
    },
    unstaged: (number, type) => unstaged.all(type, number).map(([id]) => id),
    countUnstaged: (number, type) => countUnstaged.get(type, number)?.[0] ?? 0,
    end: (number) => end.run(number).changes === 1,
    giveUp(number) {
      givenUp.add(number)
    },
    removeSome: remove,
    tidy(milliseconds) {
      endDead()
      const number = over.get()?.[0]
      if (number === undefined) return false
      remove(number, milliseconds)
      return true
    },
  }
}

function seconds(): number {
  return Date.now() / 1000
}

/** Whether the process or thread of an import is no more. One wrongly taken for dead finds its import over, and says so. */
function isDead([, host, pid, touched]: ImportRow): boolean {
  if (touched < seconds() - DEAD_AFTER) return true
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
