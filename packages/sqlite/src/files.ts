/** The files of stores: made for their owner alone, and read where nothing may be written. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Only its owner reads and writes it; SQLite gives its other files the mode of the first. */
const OWNER_ALONE = 0o600

/** Makes an empty file that its owner alone may read, if there is none. What keeps it from that, SQLite meets as well. */
export function makePrivate(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ALONE))
  } catch {
    // SQLite says why it cannot be made.
  }
}

/** Takes from everybody but its owner what may be done with a file. */
export function keepPrivate(path: string): void {
  chmodSync(path, OWNER_ALONE)
}

/**
 * What to open a file by for reading: its path; where no file can be made beside it, and none is there that belongs to it, a
 * URL by which SQLite reads it without any.
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
