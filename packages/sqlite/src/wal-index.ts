/**
 * Detects commits without a query. Every commit of any process changes the header of the WAL index, the file `-shm`. Reading
 * its 96 bytes detects this. A query would cost three times as much and have to wait for a busy connection.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/** Size, in bytes, of each of the two header copies, which differ during a write (SQLite, wal.c, WalIndexHdr). */
const COPY_BYTES = 48

/** Descriptor of a `-shm` file; undefined once it is closed. */
interface Shared {
  descriptor: number | undefined
}

/**
 * Open descriptors by device and inode. POSIX locks belong to a process and inode: closing any descriptor of a file would
 * drop the locks that SQLite holds on it for all connections. So each file has a single descriptor, which stays open until
 * the last connection of all processes is closed and SQLite removes the file.
 */
const opened = new Map<string, Shared>()

/**
 * Returns a function that caches the result of `read` until the next commit. `path` is the database file. Nothing is cached
 * in worker threads, whose descriptors are closed when the threads end, or on systems other than Linux.
 */
export function readPerCommit<T>(db: DatabaseSync, path: string, read: () => T): () => T {
  if (process.platform !== 'linux' || !isMainThread) return read
  const now = Buffer.alloc(2 * COPY_BYTES)
  const [first, second] = [now.subarray(0, COPY_BYTES), now.subarray(COPY_BYTES)]
  const known = Buffer.alloc(COPY_BYTES)
  let shared: Shared | undefined
  let value: { readonly of: T } | undefined
  return () => {
    // In a transaction, reads may see older data than the header shows.
    if (db.isTransaction) return read()
    if (shared === undefined) {
      const value = read()
      shared = sharedOf(path)
      return value
    }
    if (shared.descriptor === undefined) return read()
    const bytes = readSync(shared.descriptor, now, 0, now.byteLength, 0)
    const isSettled = bytes === now.byteLength && first.equals(second)
    if (isSettled && value && first.equals(known)) return value.of
    value = undefined
    first.copy(known)
    // Read after the header, so that the next call detects a commit in between.
    const next = read()
    if (isSettled) value = { of: next }
    return next
  }
}

/** Returns the shared descriptor, or an object without one if there is no `-shm` file because the database has no log. */
function sharedOf(path: string): Shared {
  closeRemoved()
  try {
    const file = `${realpathSync(path)}-shm`
    const known = opened.get(identityOf(statSync(file)))
    if (known) return known
    const descriptor = openSync(file, 'r')
    const shared = { descriptor }
    opened.set(identityOf(fstatSync(descriptor)), shared)
    return shared
  } catch {
    return { descriptor: undefined }
  }
}

function closeRemoved(): void {
  for (const [identity, shared] of opened) {
    const { descriptor } = shared
    if (descriptor === undefined || fstatSync(descriptor).nlink > 0) continue
    opened.delete(identity)
    shared.descriptor = undefined
    closeSync(descriptor)
  }
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`
}
