/** The file that lists every rejected record, as NDJSON. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Rejection } from '@worldwright/server'

/** Where rejected records go while an import runs. */
export interface RejectsFile {
  /** Undefined where they are not kept. */
  readonly path: string | undefined
  note(rejection: Rejection): void
  /** Writes what is held back. */
  close(): void
}

/** Written in pieces of this many records. */
const BATCH = 500

/** Begins the file; one of an earlier import goes. Nothing is written as long as nothing is rejected, or without a path. */
export function createRejectsFile(path: string | undefined): RejectsFile {
  if (path === undefined) return { path, note() {}, close() {} }
  let held: string[] = []
  let written = false
  const flush = () => {
    if (held.length === 0) return
    if (written) appendFileSync(path, held.join(''))
    else writeFileSync(path, held.join(''))
    written = true
    held = []
  }
  rmSync(path, { force: true })
  return {
    path,
    note(rejection) {
      held.push(`${JSON.stringify(rejection)}\n`)
      if (held.length >= BATCH) flush()
    },
    close: flush,
  }
}
