/** Transactions on one connection. */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '@worldwright/core/store'
import { query } from './row-query.ts'
import { faultFrom, isBusy } from './sqlite-faults.ts'

/** Timeout for the write lock of another process, in milliseconds. */
export const BUSY_MS = 2_000

/** Maximum pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 50

/** Listeners for transactions that are undone, by connection. */
const listeners = new WeakMap<DatabaseSync, () => void>()

/** Calls `listener` whenever a transaction of this connection is undone, before anything else can happen on it. */
export function onRollback(db: DatabaseSync, listener: () => void): void {
  listeners.set(db, listener)
}

/** Guards of the connections that write. */
const guards = new WeakMap<DatabaseSync, () => void>()

/**
 * Calls `guard` at the beginning of every transaction that writes, and again after its commit, before the write is
 * acknowledged. An error that it throws goes to the writer.
 */
export function guardWrites(db: DatabaseSync, guard: () => void): void {
  guards.set(db, guard)
}

/** Undoes the open transaction, if SQLite has not done so by itself. */
export function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } finally {
    listeners.get(db)?.()
  }
}

/** Runs `work` with all its reads from one snapshot. @throws StorageFault */
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

/** Ends a transaction that has failed: its error is reported already, so that of ending it is ignored. */
function endReading(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } catch {}
}

/**
 * Runs `work` in a transaction that is durable on return, or undone if `work` throws, or calls `rollBack`. Returns at once if
 * the lock is free, else a promise: waiting for another process never blocks this one, and of several writes that wait, any may
 * be first. An aborted signal ends the wait.
 * @throws StorageFault `busy` after two seconds, `full`
 */
export function writing<T>(db: DatabaseSync, work: () => T, signal?: AbortSignal): MaybePromise<T> {
  return tryToBegin(db) ? writingLater(db, work, signal) : completed(db, work)
}

/**
 * Runs `work` as `writing` does if the lock is free, and not at all if it is not. For work that can be repeated: it does not
 * wait for the disk, so that a power cut may undo it as long as nothing else was written.
 */
export function writingIfFree(db: DatabaseSync, work: () => void): void {
  // A derived store never waits for the disk, so the level is restored.
  const [before] = query<[number]>(db, 'PRAGMA synchronous').get() ?? []
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    if (!tryToBegin(db)) completed(db, work)
  } finally {
    db.exec(`PRAGMA synchronous = ${before}`)
  }
}

/**
 * Runs `work`, which SQLite refuses without waiting if another connection does the same, until it succeeds: up to two seconds,
 * which block the process. For opening only.
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

/** Takes the write lock. Returns undefined if it was free, else the error that says it is not. */
function tryToBegin(db: DatabaseSync): unknown {
  try {
    // The connection's timeout would block the whole process; it stays for the rare wait of a reader.
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
