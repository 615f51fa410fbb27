/** Permissions of store files: only their owner can access them, and stores in read-only folders remain readable. */
import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** File mode for owner-only access. SQLite gives the log and its index the same mode as the database file. */
export const OWNER_ALONE = 0o600

/** Creates an empty file with owner-only access if none exists. Errors are ignored, because SQLite reports them later. */
export function makePrivate(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ALONE))
  } catch {
    // SQLite reports why the file cannot be created.
  }
}

/**
 * Returns the path or URL for opening a file for reading. For a file without a log in a read-only folder, this is a URL that
 * tells SQLite to use no log.
 */
export function readablePath(path: string): string | URL {
  if (!existsSync(path) || existsSync(`${path}-wal`) || isWritable(dirname(path))) return path
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return url
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
