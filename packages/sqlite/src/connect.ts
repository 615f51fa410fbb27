/** Connections to a store's file. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'
import { makePrivate, readablePath } from './files.ts'
import { isCurrent, migrate, refuseForeign } from './migrations.ts'
import { faultFrom } from './sqlite-faults.ts'
import { BUSY_MS, retryWhileBusy } from './transaction.ts'

/** Page size of new files, in bytes. Most rows are below 2 kB and fit in one page without overflow. */
export const PAGE_BYTES = 8_192

/** Size of the smallest SQLite database, in bytes: one page of minimum size. */
const MIN_BYTES = 512

/** Page cache per connection, in KiB: enough for the upper B-tree levels of a million entities. The OS caches the rest. */
export const CACHE_KIB = 8_192

/** Size of the log, in pages, that triggers a checkpoint. Each checkpoint costs two disk syncs. */
const CHECKPOINT_PAGES = 4_000

/** Size, in bytes, to which the write-ahead log is truncated after a long snapshot or import. */
const LOG_BYTES = 64 * 1024 * 1024

/**
 * Refuses a file that is not a store or has a newer format, without writing to it. A missing or empty file is accepted.
 * @throws StoreFault `not_a_store`, `newer_format`, `busy`
 */
export function refuseOtherFiles(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  // SQLite treats a one-byte file as empty.
  if (size < MIN_BYTES) throw new StoreFault('not_a_store', 'This file is not a store. It was not touched.')
  // The check must not change the file: closing the last writable connection would checkpoint the log and remove it. Without
  // a log, a writable connection leaves no files behind. (Reading the header directly is not an option, because closing a
  // file drops the locks that SQLite holds on it in this process.)
  const where = readablePath(path)
  connected(where, where !== path || existsSync(`${path}-wal`), refuseForeign).close()
}

/**
 * Opens a file for reading and writing, after `refuseOtherFiles`, and creates or migrates the store if needed. `isDerived`
 * means that writes lost in a power failure can be recovered from elsewhere.
 * @throws StoreFault `not_a_store`, `newer_format`, `busy`, `full`
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

/** Opens a read-only connection. @throws StoreFault `not_a_store`, `newer_format`, `busy` */
export function connectReader(path: string): DatabaseSync {
  return connected(readablePath(path), true, (db) => {
    refuseForeign(db)
    if (!isCurrent(db)) {
      throw new StoreFault(
        'not_a_store',
        `The store is empty or of an older format. Serving it makes it ready: npx worldwright serve --store sqlite:${path}`,
      )
    }
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  })
}

/**
 * Refuses a store whose log has been removed, since the file alone may lack the last writes. SQLite creates the log before
 * the log's index (`-shm`) and removes the index first. An index without a log therefore means that the log was removed.
 * @throws StoreFault `file_gone`
 */
function refuseLostLog(path: string | URL): void {
  const isThere = (suffix: string) => existsSync(`${path}${suffix}`)
  if (path instanceof URL || !isThere('') || !isThere('-shm') || isThere('-wal')) return
  // If another process is just closing the store, both files are gone by the second check.
  if (!isThere('-shm') || isThere('-wal')) return
  throw new StoreFault(
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
