/** Determines the outcome of a write whose connection was lost during the commit, by the id that the write records. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '@worldwright/core/store'
import { type Database, LostCommit } from './database.ts'

/** Time since a write after which its id may be gone, in milliseconds: less than `WRITES_KEPT`, as clocks differ. */
const KNOWN_MS = 50 * 60_000

/** Interval between questions for an outcome, in milliseconds. */
const AGAIN_MS = 200

const ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Waits until a commit in progress has ended, and prevents a later one by claiming the id of a write that did not take effect.
 * As a write itself, it also waits until standbys have the outcome.
 */
const DECIDE = `INSERT INTO writes (id, at) VALUES ($1, '-infinity')
  ON CONFLICT (id) DO UPDATE SET at = CASE WHEN writes.at = '-infinity' THEN writes.at ELSE now() END
  RETURNING at > '-infinity' AS written`

/** Returns a new id for a write: a version 7 UUID, which begins with the time. */
export function mintWriteId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Reports whether a write took effect. Undefined if the id is malformed, or of a time before those known. @throws StoreFault */
export async function outcomeOf(database: Database, id: string): Promise<boolean | undefined> {
  const [, high = '', low = ''] = ID.exec(id) ?? []
  const isKnown = Math.abs(Date.now() - Number.parseInt(high + low, 16)) < KNOWN_MS
  return isKnown ? isWritten(database, id) : undefined
}

async function isWritten(database: Database, id: string): Promise<boolean> {
  const [row] = await database.query<{ written: boolean }>(DECIDE, [id])
  return row?.written === true
}

/**
 * Runs a transaction that records its own `id`. If the connection is lost during the commit, asks for up to `patienceMs`
 * whether it took effect. If it did, `answer` returns the result.
 * @throws StoreFault `unreachable` if it did not; `undecided` if that cannot be determined, with the id as `write`
 */
export async function decided<T>(
  database: Database,
  id: string,
  { run, answer, patienceMs = 0 }: { run(): Promise<T>; answer(): T | undefined; patienceMs?: number },
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LostCommit)) throw error
    const result = answer()
    const written = await outcomeWithin(database, id, patienceMs)
    if (written && result !== undefined) return result
    const message = 'The connection to the database was lost. Nothing was written. Try again.'
    throw new StoreFault('unreachable', message, { cause: error })
  }
}

async function outcomeWithin(database: Database, id: string, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (;;) {
    try {
      return await isWritten(database, id)
    } catch (cause) {
      if (performance.now() < deadline) {
        await pause(AGAIN_MS)
        continue
      }
      const message =
        'The database gave no answer: whether this was written is open. Ask later by the id of the write.'
      throw new StoreFault('undecided', message, { cause, details: { write: id } })
    }
  }
}
