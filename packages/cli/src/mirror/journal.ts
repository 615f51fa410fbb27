/** Changes on their way from a world into a mirror: on disk page by page, so that no page is asked for twice. */
import { existsSync } from 'node:fs'
import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { ChangesPage } from '@worldwright/client/changes'
import { linesOf } from './lines.ts'

/** Where a walk through the log stands. */
export interface JournalState {
  /** The token it began with; undefined: at the beginning. */
  readonly base: string | undefined
  /** The token to go on from; undefined: at the beginning. */
  readonly next: string | undefined
  /** Changes so far. */
  readonly changes: number
}

/** A change as the journal keeps it. */
export interface KeptChange {
  readonly type: string
  readonly id: string
  /** Empty: deleted. */
  readonly line: string
}

/** Owns the file. Its first line says where it began; each page ends with a line that says where to go on. */
export class Journal {
  readonly #file: string
  #state: JournalState

  private constructor(file: string, state: JournalState) {
    this.#file = file
    this.#state = state
  }

  /** Goes on with a journal that began with `base` or at the beginning, else begins one with `base`. */
  static async open(file: string, base: string | undefined): Promise<Journal> {
    const found = existsSync(file) ? await stateIn(file) : undefined
    if (found && (found.base === base || found.base === undefined)) return new Journal(file, found)
    const journal = new Journal(file, { base, next: base, changes: 0 })
    await journal.begin(base)
    return journal
  }

  get state(): JournalState {
    return this.#state
  }

  /** Forgets what was taken, and begins with this token; undefined: at the beginning. */
  async begin(base: string | undefined): Promise<void> {
    await writeFile(this.#file, `${JSON.stringify({ base })}\n`)
    this.#state = { base, next: base, changes: 0 }
  }

  /** Takes a page: all of it, or none where the process ends. */
  async add({ changes, next }: ChangesPage): Promise<void> {
    const lines = [...changes, { page: next }].map((line) => `${JSON.stringify(line)}\n`)
    await appendFile(this.#file, lines.join(''))
    this.#state = { ...this.#state, next, changes: this.#state.changes + changes.length }
  }

  /** What was taken, in its order. */
  async *changes(): AsyncGenerator<KeptChange> {
    for await (const text of linesOf(this.#file)) {
      const { op, type, id, entity } = JSON.parse(text)
      if (op !== undefined) yield { type, id, line: op === 'put' ? JSON.stringify(entity) : '' }
    }
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await rm(this.#file, { force: true })
  }
}

/** The state that a file holds, cut off behind its last whole page; undefined if it holds none. */
async function stateIn(file: string): Promise<JournalState | undefined> {
  const { size } = await stat(file)
  let state: JournalState | undefined
  let changes = 0
  let bytes = 0
  let end = 0
  for await (const text of linesOf(file)) {
    bytes += Buffer.byteLength(text) + 1
    // A line that a process had begun to write.
    if (bytes > size) break
    const { base, page, op } = JSON.parse(text)
    if (op !== undefined) changes += 1
    else {
      state = state === undefined ? { base, next: base, changes } : { ...state, next: page, changes }
      end = bytes
    }
  }
  if (state) await truncate(file, end)
  return state
}
