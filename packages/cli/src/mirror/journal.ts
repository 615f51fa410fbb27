/** Changes on their way from a world into a mirror: kept on disk page by page, so that no page is requested twice. */
import { existsSync } from 'node:fs'
import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { ChangesPage } from '@worldwright/client/changes'
import { linesOf } from './lines.ts'

/** Progress of a walk through the log. */
export interface JournalState {
  /** Token of the start; undefined: the beginning. */
  readonly base: string | undefined
  /** Token to resume from; undefined: the beginning. */
  readonly next: string | undefined
  /** Changes so far. */
  readonly changes: number
}

/** A change as the journal keeps it. */
export interface KeptChange {
  readonly type: string
  readonly id: string
  /** Empty for a tombstone. */
  readonly line: string
}

/** Owns the file. Its first line holds the start; each page ends with a line that holds the token to resume from. */
export class Journal {
  readonly #file: string
  #state: JournalState

  private constructor(file: string, state: JournalState) {
    this.#file = file
    this.#state = state
  }

  /** Resumes a journal that started with `base` or at the beginning, otherwise starts one with `base`. */
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

  /** Discards the journal and starts again with this token; undefined: the beginning. */
  async begin(base: string | undefined): Promise<void> {
    await writeFile(this.#file, `${JSON.stringify({ base })}\n`)
    this.#state = { base, next: base, changes: 0 }
  }

  /** Appends a page: all of it, or none if the process ends. */
  async add({ changes, next }: ChangesPage): Promise<void> {
    const lines = [...changes, { page: next }].map((line) => `${JSON.stringify(line)}\n`)
    await appendFile(this.#file, lines.join(''))
    this.#state = { ...this.#state, next, changes: this.#state.changes + changes.length }
  }

  /** Yields the changes in the journal, in order. */
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

/** Returns the state in a file, which is truncated after its last whole page; undefined if it holds none. */
async function stateIn(file: string): Promise<JournalState | undefined> {
  const { size } = await stat(file)
  let state: JournalState | undefined
  let changes = 0
  let bytes = 0
  let end = 0
  for await (const text of linesOf(file)) {
    bytes += Buffer.byteLength(text) + 1
    // A partially written line.
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
