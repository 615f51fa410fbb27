/**
 * Detects commits without a query. Every commit of every process changes the header of the WAL index, the file `-shm`, which
 * one read of 96 bytes fetches: a query costs three times as much, and waits for a connection that is busy.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/** Bytes of each of the two copies of the header, which differ while one is written (SQLite, wal.c, WalIndexHdr). */
const COPY_BYTES = 48

/** A descriptor of `-shm`; undefined once it is closed. */
interface Shared {
  descriptor: number | undefined
}

/**
 * Descriptors by device and inode. POSIX locks belong to process and inode: closing any descriptor of the file would drop
 * the locks that SQLite holds on it for all connections. So each file has one, which stays open until SQLite has removed the
 * file, as it does when the last connection of all processes is closed.
 */
const opened = new Map<string, Shared>()

/**
 * Returns a `read` that queries the database again only if something was committed since. `path`: that of the database. Outside
 * of Linux it queries every time, and so it does in worker threads, whose descriptors are closed as they end.
 */
export function readPerCommit<T>(db: DatabaseSync, path: string, read: () => T): () => T {
  if (process.platform !== 'linux' || !isMainThread) return read
  const now = Buffer.alloc(2 * COPY_BYTES)
  const [first, second] = [now.subarray(0, COPY_BYTES), now.subarray(COPY_BYTES)]
  const known = Buffer.alloc(COPY_BYTES)
  let shared: Shared | undefined
  let value: { readonly of: T } | undefined
  return () => {
    // Within a transaction the data may be older than the header.
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
    // Read after the header: a commit between the two changes what the next call sees.
    const next = read()
    if (isSettled) value = { of: next }
    return next
  }
}

/** Returns an object without a descriptor if there is no such file: the database is read without a log. */
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
