/** Connections to a store's file. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StorageFault } from '@worldwright/core/store'
import { makePrivate, readablePath } from './files.ts'
import { isCurrent, migrate, refuseForeign } from './migrations.ts'
import { faultFrom } from './sqlite-faults.ts'
import { BUSY_MS, retryWhileBusy } from './transaction.ts'

/** Page size of new files, in bytes: rows are mostly below 2 kB, and then stay in one page, without overflow. */
export const PAGE_BYTES = 8_192

/** Size of the smallest SQLite database, in bytes: that of its smallest page. */
const MIN_BYTES = 512

/** Page cache of a connection, in KiB: the upper levels of a million entities. The system caches the rest. */
export const CACHE_KIB = 8_192

/** Pages in the log before a checkpoint: each one costs two waits for the disk. */
const CHECKPOINT_PAGES = 4_000

/** Size to which a write-ahead log that grew under a long snapshot or import is truncated, in bytes. */
const LOG_BYTES = 64 * 1024 * 1024

/**
 * Refuses a file that is no store, or of a newer format, before anything could write to it. A missing or empty file passes.
 * @throws StorageFault `not_a_store`, `newer_format`, `busy`
 */
export function refuseOtherFiles(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  // SQLite takes a file of one byte for an empty one.
  if (size < MIN_BYTES) throw new StorageFault('not_a_store', 'This file is not a store. It was not touched.')
  // The last connection that may write checkpoints the log into the file and removes it: with a log beside the file that would
  // be a change, without one it leaves no new files behind. (Reading the header by hand is no alternative: closing a file drops
  // the locks that SQLite holds on it in this process.)
  const where = readablePath(path)
  connected(where, where !== path || existsSync(`${path}-wal`), refuseForeign).close()
}

/**
 * Connects for reading and writing to a file that was not refused, and creates or migrates the store if needed. `isDerived`:
 * writes lost in a power cut can be obtained again.
 * @throws StorageFault `not_a_store`, `newer_format`, `busy`, `full`
 */
export function connectWriter(path: string, isDerived = false): DatabaseSync {
  makePrivate(path)
  return connected(path, false, (db) => {
    refuseForeign(db)
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA synchronous = ${isDerived ? 'NORMAL' : 'FULL'};
      PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_size_limit = ${LOG_BYTES};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    retryWhileBusy(() => db.exec('PRAGMA journal_mode = WAL'))
    migrate(db, path)
  })
}

/** Connects for reading only. @throws StorageFault `not_a_store`, `newer_format`, `busy` */
export function connectReader(path: string): DatabaseSync {
  return connected(readablePath(path), true, (db) => {
    refuseForeign(db)
    if (!isCurrent(db)) {
      throw new StorageFault(
        'not_a_store',
        `The store is empty or of an older format. Serving it makes it ready: npx worldwright serve --store sqlite:${path}`,
      )
    }
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  })
}

/**
 * Refuses a store whose log was taken away, since the file alone may lack the last writes. SQLite creates the log before its
 * index (`-shm`), and removes them in the other order: an index alone means that the log was removed.
 * @throws StorageFault `file_gone`
 */
function refuseLostLog(path: string | URL): void {
  const isThere = (suffix: string) => existsSync(`${path}${suffix}`)
  if (path instanceof URL || !isThere('') || !isThere('-shm') || isThere('-wal')) return
  // A process that has just closed the store has removed both by the second check.
  if (!isThere('-shm') || isThere('-wal')) return
  throw new StorageFault(
    'file_gone',
    `${path}-wal is gone, and with it what was written last. Put it back; where it is lost for good, remove ${path}-shm to open what is left.`,
  )
}

function connected(path: string | URL, readOnly: boolean, setUp: (db: DatabaseSync) => void): DatabaseSync {
  refuseLostLog(path)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly, timeout: BUSY_MS })
    setUp(db)
    return db
  } catch (error) {
    db?.close()
    throw faultFrom(error)
  }
}
