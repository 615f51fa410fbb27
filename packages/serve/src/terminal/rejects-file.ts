/** The file that lists every rejected record, as NDJSON. */
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

/** Destination of rejected records while an import runs. */
export interface RejectsFile {
  /** Path of the list; undefined if rejected records are not kept. */
  readonly path: string | undefined
  note(rejection: Rejection): void
  /** Writes the records that are buffered. */
  close(): void
  /** Closes the list after a load. If nothing was rejected, the list of an earlier load is removed. */
  loaded(): void
}

/** File mode: the list contains the records themselves. */
const OWNER_ALONE = 0o600

/** Records written at a time. */
const BATCH = 500

/**
 * Creates a list that replaces an earlier one at the first rejected record; without a path nothing is written. `isRead`: the
 * earlier one is a source, replaced once all is loaded. @throws UsageFault if the path holds something else, or has no folder
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
      // Records that were not loaded are still in the list that was read.
      if (isRead) rmSync(target, { force: true })
    },
    loaded() {
      close()
      if (!written && before === 'list') rmSync(path, { force: true })
      if (written && isRead) renameSync(target, path)
    },
  }
}

/** Reports whether the list of an earlier import is a source of this one, having been corrected. */
export function isRead(rejects: string | undefined, files: readonly string[], cwd: string): boolean {
  return files.some((file) => file !== '-' && resolve(cwd, file) === rejects)
}

/** Matches the beginning of a rejected record that is longer than the head that is read. */
const LONG_REJECTION = /^\{"source":"(?:[^"\\]|\\.)*","line":\d+,"faults":\[\{"pointer":/

/** Bytes read to recognise a list by its first line: the faults of a record are limited in number. */
const HEAD_BYTES = 256 * 1024

/** Returns what is at a path: nothing, a list of rejected records, something empty such as a device, or anything else. */
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
    // The record may be longer than the head that was read; its faults come first.
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
