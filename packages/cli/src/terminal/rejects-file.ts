/** The file that lists every rejected record, as NDJSON. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Rejection } from '@worldwright/server/publish'
import { UsageFault } from './io.ts'

/** Where rejected records go while an import runs. */
export interface RejectsFile {
  /** Undefined where they are not kept. */
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
 * written. @throws UsageFault where something else is at the path, or where its folder is not there
 */
export function createRejectsFile(path: string | undefined): RejectsFile {
  if (path === undefined) return { path, note() {}, close() {}, loaded() {} }
  if (!existsSync(dirname(path)))
    throw new UsageFault(`There is no folder ${dirname(path)} for the list of rejected records.`)
  const before = whatIsAt(path)
  if (before === 'other') {
    const why = 'Rejected records would be listed there, and it is no list of them'
    throw new UsageFault(`There is ${path} already. ${why}: move it, or import with --rejects FILE`)
  }
  let held: string[] = []
  let written = false
  const close = () => {
    if (held.length === 0) return
    if (written) appendFileSync(path, held.join(''))
    else writeFileSync(path, held.join(''), { mode: OWNER_ALONE })
    written = true
    held = []
  }
  return {
    path,
    note(rejection) {
      held.push(`${JSON.stringify(rejection)}\n`)
      if (held.length >= BATCH) close()
    },
    close,
    loaded() {
      close()
      if (!written && before === 'list') rmSync(path, { force: true })
    },
  }
}

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
    const [line = ''] = head.toString('utf8', 0, readSync(file, head)).split('\n', 1)
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
