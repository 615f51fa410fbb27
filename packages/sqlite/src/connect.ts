/** Connections to a store's file. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StorageFault } from '@worldwright/core/store'
import { makePrivate, readablePath } from './files.ts'
import { isCurrent, migrate, refuseForeign } from './migrations.ts'
import { faultFrom } from './sqlite-faults.ts'
import { BUSY_MS, retryWhileBusy } from './transaction.ts'

/** Rows are mostly below 2 kB and then stay in one page, without overflow. Counts for new files only. */
export const PAGE_BYTES = 8_192

/** No SQLite database is smaller: it is the size of its smallest page. */
const MIN_BYTES = 512

/** What a connection keeps of the file in memory: the upper levels of a million entities. The rest the system keeps. */
export const CACHE_KIB = 8_192

/** Pages in the log before it is written back: each time costs two waits for the disk. */
const CHECKPOINT_PAGES = 4_000

/** A write-ahead log that grew under a long snapshot or import is cut back to this size. */
const LOG_BYTES = 64 * 1024 * 1024

/**
 * Refuses what is no store, or of a newer format, before anything could write to it. No file, or an empty one, passes.
 * @throws StorageFault `not_a_store`, `newer_format`, `busy`
 */
export function refuseOtherFiles(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  // SQLite takes a file of one byte for an empty one.
  if (size < MIN_BYTES) throw new StorageFault('not_a_store', 'This file is not a store. It was not touched.')
  // The last connection that may write empties the log into the file and removes it: with a log beside the file that
  // would be a change, without one it is what leaves no new files behind. (Reading the header by hand is no way out:
  // closing a file drops the locks that SQLite holds on it in this process.)
  const where = readablePath(path)
  connected(where, where !== path || existsSync(`${path}-wal`), refuseForeign).close()
}

/**
 * Connects for reading and writing a file that was not refused, and makes or migrates the store where needed. `isDerived`:
 * what a power cut takes can be had again.
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

/** Connects for reading alone. @throws StorageFault `not_a_store`, `newer_format`, `busy` */
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
 * Refuses a store whose log was taken away, since the file alone may lack what was written last. SQLite makes the log before
 * the index of it (`-shm`), and removes them in the other order: the index alone is what somebody left.
 * @throws StorageFault `file_gone`
 */
function refuseLostLog(path: string | URL): void {
  const isThere = (suffix: string) => existsSync(`${path}${suffix}`)
  if (path instanceof URL || !isThere('') || !isThere('-shm') || isThere('-wal')) return
  // A process that closed the store just now has removed both by the second look.
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
