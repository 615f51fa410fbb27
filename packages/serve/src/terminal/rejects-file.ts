/** Rejects file: an NDJSON file that lists all rejected records of a load. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Rejection } from '@worldwright/publish'
import { UsageFault } from './io.ts'

/** Destination of the rejected records of a load. */
export interface RejectsFile {
  /** Path of the rejects file; undefined if rejected records are not stored. */
  readonly path: string | undefined
  note(rejection: Rejection): void
  /** Writes the buffered records, and deletes the temporary file if there is one. */
  close(): void
  /** Writes the buffered records after a load. If nothing was rejected, deletes the previous file. */
  loaded(): void
}

/** File mode. Only the owner may read the file, since it contains the records. */
const OWNER_ALONE = 0o600

/** Number of records written at a time. */
const BATCH = 500

/**
 * Creates a rejects file that replaces the previous one at the first rejected record, or after the load if `isRead`. Without
 * a path, writes nothing. @throws UsageFault if `path` is any other file, or if its folder does not exist
 */
export function createRejectsFile(path: string | undefined, isRead = false): RejectsFile {
  if (path === undefined) return { path, note() {}, close() {}, loaded() {} }
  if (!existsSync(dirname(path)))
    throw new UsageFault(`There is no folder ${dirname(path)} for the list of rejected records.`)
  const before = whatIsAt(path)
  if (before === 'other') {
    const why = 'Rejected records would be listed there, and it is no list of them'
    throw new UsageFault(`There is ${path} already. ${why}. Move it, or import with --rejects FILE`)
  }
  let held: string[] = []
  let written = false
  const target = isRead ? `${path}.new` : path
  const close = () => {
    if (held.length === 0) return
    if (written) appendFileSync(target, held.join(''))
    else writeFileSync(target, held.join(''), { mode: OWNER_ALONE })
    written = true
    held = []
  }
  return {
    path,
    note({ source, line, faults, ...rest }) {
      held.push(`${JSON.stringify({ source, line, faults, ...rest })}\n`)
      if (held.length >= BATCH) close()
    },
    close() {
      close()
      // The previous file, which was read, still contains the records that were not loaded.
      if (isRead) rmSync(target, { force: true })
    },
    loaded() {
      close()
      if (!written && before === 'list') rmSync(path, { force: true })
      if (written && isRead) renameSync(target, path)
    },
  }
}

/** Reports whether the previous rejects file is a source of this import. */
export function isRead(rejects: string | undefined, files: readonly string[], cwd: string): boolean {
  return files.some((file) => file !== '-' && resolve(cwd, file) === rejects)
}

/** Matches the start of a rejected record that is longer than `HEAD_BYTES`. */
const LONG_REJECTION = /^\{"source":"(?:[^"\\]|\\.)*","line":\d+,"faults":\[\{"pointer":/

/** Number of bytes read to recognise a rejects file by its first line. */
const HEAD_BYTES = 256 * 1024

/** Classifies a path: no file, a rejects file, an empty file or device, or any other file. */
function whatIsAt(path: string): 'nothing' | 'list' | 'empty' | 'other' {
  const state = statSync(path, { throwIfNoEntry: false })
  if (state === undefined) return 'nothing'
  if (state.isCharacterDevice()) return 'empty'
  if (!state.isFile()) return 'other'
  if (state.size === 0) return 'empty'
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const text = head.toString('utf8', 0, readSync(file, head))
    const [line = ''] = text.split('\n', 1)
    // The record may be longer than `HEAD_BYTES`, but its faults precede its content.
    if (line.length === text.length && LONG_REJECTION.test(line)) return 'list'
    return isRejection(line) ? 'list' : 'other'
  } finally {
    closeSync(file)
  }
}

/** Reports whether a line is a `Rejection`, with the required members and no unknown ones. */
function isRejection(line: string): boolean {
  try {
    const { source, line: number, faults, record, cells, entity, text, ...others } = JSON.parse(line)
    const isWhole = typeof source === 'string' && typeof number === 'number' && Array.isArray(faults)
    return isWhole && Object.keys(others).length === 0
  } catch {
    return false
  }
}
