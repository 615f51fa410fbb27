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

/** Where rejected records go while an import runs. */
export interface RejectsFile {
  /** Undefined if they are not kept. */
  readonly path: string | undefined
  note(rejection: Rejection): void
  /** Writes what is held back. */
  close(): void
  /** Closes it after a load: where nothing was rejected, the list of an earlier one goes. */
  loaded(): void
}

/** The records themselves are in it. */
const OWNER_ALONE = 0o600

/** Written in pieces of this many records. */
const BATCH = 500

/**
 * A list that is begun with the first rejected record, in place of that of an earlier import; without a path nothing is
 * written. `isRead`: the earlier list is a source of this import, and is replaced once all is loaded. @throws UsageFault where something else is at the path, or where its folder is not there
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
      // What was not loaded is still in the list that was read.
      if (isRead) rmSync(target, { force: true })
    },
    loaded() {
      close()
      if (!written && before === 'list') rmSync(path, { force: true })
      if (written && isRead) renameSync(target, path)
    },
  }
}

/** Whether the list of an earlier import is a source of this one, having been mended. */
export function isRead(rejects: string | undefined, files: readonly string[], cwd: string): boolean {
  return files.some((file) => file !== '-' && resolve(cwd, file) === rejects)
}

/** How a rejected record begins that is longer than that. */
const LONG_REJECTION = /^\{"source":"(?:[^"\\]|\\.)*","line":\d+,"faults":\[\{"pointer":/

/** Room for the first line of a list: a record has only so many faults. */
const HEAD_BYTES = 256 * 1024

/** What is at a path: nothing, a list of rejected records, what holds nothing, such as a device, or something else. */
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
    // A record may be longer than what was read; its faults stand before it.
    if (line.length === text.length && LONG_REJECTION.test(line)) return 'list'
    return isRejection(line) ? 'list' : 'other'
  } finally {
    closeSync(file)
  }
}

/** Whether a line is a `Rejection`, with the members it must have and no strange ones. */
function isRejection(line: string): boolean {
  try {
    const { source, line: number, faults, record, cells, entity, text, ...others } = JSON.parse(line)
    const isWhole = typeof source === 'string' && typeof number === 'number' && Array.isArray(faults)
    return isWhole && Object.keys(others).length === 0
  } catch {
    return false
  }
}
