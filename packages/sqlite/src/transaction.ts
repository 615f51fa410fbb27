/** Transactions on one connection. */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '@worldwright/core/store'
import { query } from './row-query.ts'
import { faultFrom, isBusy } from './sqlite-faults.ts'

/** Timeout for a write lock held by another process, in milliseconds. */
export const BUSY_MS = 2_000

/** Maximum pause between two attempts to lock, in milliseconds. */
const MAX_PAUSE_MS = 50

const listeners = new WeakMap<DatabaseSync, () => void>()

/** Calls `listener` after each rollback on a connection, before anything else can use the connection. */
export function onRollback(db: DatabaseSync, listener: () => void): void {
  listeners.set(db, listener)
}

const guards = new WeakMap<DatabaseSync, () => void>()

/**
 * Calls `guard` at the beginning of every write transaction, and again after the commit but before the write is
 * acknowledged. An error thrown by `guard` is passed to the writer.
 */
export function guardWrites(db: DatabaseSync, guard: () => void): void {
  guards.set(db, guard)
}

/** Rolls back the open transaction, unless SQLite has already done so. */
export function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } finally {
    listeners.get(db)?.()
  }
}

/** Runs `work` in a read transaction, so that all reads use one snapshot. @throws StoreFault */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    db.exec('BEGIN')
    const result = work()
    if (db.isTransaction) db.exec('COMMIT')
    return result
  } catch (error) {
    endReading(db)
    throw faultFrom(error)
  }
}

/** Ends a failed read transaction. Ignores errors, since the caller throws the original one. */
function endReading(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } catch {}
}

/**
 * Runs `work` in a transaction. It is durable on return, or rolled back if `work` throws or calls `rollBack`. Returns
 * a promise if the lock is taken, so that waiting never blocks the process. Waiting writes may run in any order.
 * An aborted signal ends the wait.
 * @throws StoreFault `busy` after two seconds, `full`
 */
export function writing<T>(db: DatabaseSync, work: () => T, signal?: AbortSignal): MaybePromise<T> {
  return tryToBegin(db) ? writingLater(db, work, signal) : completed(db, work)
}

/**
 * Runs `work` as `writing` does if the lock is free; otherwise does nothing. Only for work that can be repeated: it is not
 * synced to disk, so a power failure may undo it until the next synced write.
 */
export function writingIfFree(db: DatabaseSync, work: () => void): void {
  // The level is restored and not set to FULL, since a derived store never syncs its writes.
  const [before] = query<[number]>(db, 'PRAGMA synchronous').get() ?? []
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    if (!tryToBegin(db)) completed(db, work)
  } finally {
    db.exec(`PRAGMA synchronous = ${before}`)
  }
}

/**
 * Retries `work` while it is refused as busy, since SQLite does not wait if two connections run it at once. Blocks the
 * process for up to two seconds, so it is used only for opening a store.
 */
export function retryWhileBusy(work: () => void): void {
  const deadline = performance.now() + BUSY_MS
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MAX_PAUSE_MS)
    }
  }
}

async function writingLater<T>(db: DatabaseSync, work: () => T, signal?: AbortSignal): Promise<T> {
  const deadline = performance.now() + BUSY_MS
  for (let wait = 1; ; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
    await pause(wait)
    signal?.throwIfAborted()
    const busy = tryToBegin(db)
    if (!busy) return completed(db, work)
    if (performance.now() >= deadline) throw faultFrom(busy)
  }
}

/** Takes the write lock. Returns undefined if that succeeds, or SQLite's error if another connection holds the lock. */
function tryToBegin(db: DatabaseSync): unknown {
  try {
    // The connection's timeout would block the whole process. It is restored for reads, which rarely have to wait.
    db.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    return undefined
  } catch (error) {
    if (isBusy(error)) return error
    throw faultFrom(error)
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
}

function completed<T>(db: DatabaseSync, work: () => T): T {
  const guard = guards.get(db)
  try {
    guard?.()
    const result = work()
    if (!db.isTransaction) return result
    db.exec('COMMIT')
    guard?.()
    return result
  } catch (error) {
    rollBack(db)
    throw faultFrom(error)
  }
}
