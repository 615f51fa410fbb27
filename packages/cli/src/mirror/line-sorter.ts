/** External merge sort of lines by key. Sorted parts are written to disk and merged when they are read. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LineWriter, linesOf } from './lines.ts'

/** Number of characters sorted in memory before they are written to disk as a part. */
const PART_CHARACTERS = 64 * 1024 * 1024

/** A line with its sort key. */
export type KeyedLine = readonly [key: string, line: string]

/** Sorts lines by key, using a folder for sorted parts. If lines have the same key, only the last one added is kept. */
export class LineSorter {
  readonly #folder: string
  readonly #partCharacters: number
  #held = new Map<string, string>()
  #size = 0
  #parts: string[] = []

  /** `folder` is created or emptied when the first part is written. */
  constructor(folder: string, partCharacters = PART_CHARACTERS) {
    this.#folder = folder
    this.#partCharacters = partCharacters
  }

  /** Adds a line, which must not contain a line break. */
  async add(key: string, line: string): Promise<void> {
    this.#held.set(key, line)
    this.#size += key.length + line.length
    if (this.#size >= this.#partCharacters) await this.#putAside()
  }

  /** Yields all lines in ascending order of their keys (UTF-16 code units). No line may be added afterwards. */
  async *sorted(): AsyncGenerator<KeyedLine> {
    const last = this.#takeHeld()
    if (this.#parts.length === 0) return yield* last
    const sources = [...this.#parts.map(keyedLines), last[Symbol.iterator]()]
    const heads = await Promise.all(sources.map(async (source) => (await source.next()).value))
    for (;;) {
      let least = -1
      for (const [at, head] of heads.entries()) {
        const best = heads[least]
        // Tie-break: the later part wins.
        if (head && (!best || head[0] <= best[0])) least = at
      }
      const found = heads[least]
      if (!found) return
      for (const [at, head] of heads.entries())
        if (head?.[0] === found[0]) heads[at] = (await sources[at]?.next())?.value
      yield found
    }
  }

  /** Removes the parts on disk. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #takeHeld(): KeyedLine[] {
    const held = [...this.#held].sort(([one], [other]) => (one < other ? -1 : 1))
    this.#held = new Map()
    this.#size = 0
    return held
  }

  async #putAside(): Promise<void> {
    if (this.#parts.length === 0) {
      await this.remove()
      await mkdir(this.#folder, { recursive: true })
    }
    const part = join(this.#folder, `${this.#parts.length}`)
    const writer = await LineWriter.create(part)
    for (const [key, line] of this.#takeHeld()) await writer.add(`${JSON.stringify(key)}\t${line}`)
    await writer.end()
    this.#parts.push(part)
  }
}

/** Yields the lines of a part. JSON escapes tabs in the key, so the first tab is the separator. */
async function* keyedLines(part: string): AsyncGenerator<KeyedLine, undefined> {
  for await (const text of linesOf(part)) {
    const end = text.indexOf('\t')
    yield [JSON.parse(text.slice(0, end)), text.slice(end + 1)]
  }
  return undefined
}
