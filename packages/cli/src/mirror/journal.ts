/** Journal of fetched changes. It is written page by page, so that an interrupted mirror requests no page twice. */
import { existsSync } from 'node:fs'
import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import type { ChangesPage } from '@worldwright/client/changes'
import { jsonLineOf, parseExact } from '@worldwright/client/exact'
import { linesOf } from './lines.ts'

/** Progress through the change log of a world. */
export interface JournalState {
  /** Offset that the journal starts from; undefined for the start of the log. */
  readonly base: string | undefined
  /** Offset to resume from; undefined for the start of the log. */
  readonly next: string | undefined
  /** Number of changes so far. */
  readonly changes: number
}

/** A change as stored in the journal. */
export interface KeptChange {
  readonly type: string
  readonly id: string
  /** The entity as JSON, or an empty string for a tombstone. */
  readonly line: string
}

/** Journal file. Its first line contains the start offset, and each page ends with a line that contains the next offset. */
export class Journal {
  readonly #file: string
  #state: JournalState

  private constructor(file: string, state: JournalState) {
    this.#file = file
    this.#state = state
  }

  /** Opens the journal in `file` if it starts at `base` or the start of the log; otherwise creates one at `base`. */
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

  /** Discards all changes and starts again at `base`, or at the start of the log if `base` is undefined. */
  async begin(base: string | undefined): Promise<void> {
    await writeFile(this.#file, `${JSON.stringify({ base })}\n`)
    this.#state = { base, next: base, changes: 0 }
  }

  /** Appends a page. If the process is killed while it writes, the next `open` removes the partial page. */
  async add({ changes, next }: ChangesPage): Promise<void> {
    const lines = [...changes, { page: next }].map((line) => `${jsonLineOf(line)}\n`)
    await appendFile(this.#file, lines.join(''))
    this.#state = { ...this.#state, next, changes: this.#state.changes + changes.length }
  }

  async *changes(): AsyncGenerator<KeptChange> {
    for await (const text of linesOf(this.#file)) {
      const { op, type, id, entity } = Object(parseExact(text))
      if (op !== undefined) yield { type, id, line: op === 'put' ? jsonLineOf(entity) : '' }
    }
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true })
  }
}

/** Truncates a journal after its last complete page and returns its state, or undefined if it has no complete line. */
async function stateIn(file: string): Promise<JournalState | undefined> {
  const { size } = await stat(file)
  let state: JournalState | undefined
  let changes = 0
  let bytes = 0
  let end = 0
  for await (const text of linesOf(file)) {
    bytes += Buffer.byteLength(text) + 1
    // The last line is incomplete.
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
