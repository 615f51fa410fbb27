/** Files of stores: accessible to their owner only, and readable in folders without write permission. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** File mode: only the owner reads and writes. SQLite gives its other files the mode of the first. */
const OWNER_ALONE = 0o600

/** Creates an empty file that only its owner may read, if there is none. If that fails, SQLite meets the same error. */
export function makePrivate(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ALONE))
  } catch {
    // SQLite reports why it cannot be created.
  }
}

/** Removes the permissions of everybody but the owner of a file. */
export function keepPrivate(path: string): void {
  chmodSync(path, OWNER_ALONE)
}

/**
 * Returns what to open a file by for reading: its path; or, if no file can be created beside it, and none that belongs to it
 * exists, a URL by which SQLite reads it without any.
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
