/** Writers that keep writing whatever happens to their worlds, and record the acknowledged writes. */
import { setTimeout as pause } from 'node:timers/promises'
import { writeThing } from './served-world.ts'

const WRITERS = 8
/** Retry delay after a refusal, in milliseconds. */
const AGAIN_MS = 10

/** Runs eight writers until they are stopped. Each writes ids of its own, and none twice. */
export class AcknowledgedWriters {
  readonly #acknowledged: string[] = []
  readonly #byWriter: readonly string[][] = Array.from({ length: WRITERS }, () => [])
  readonly #running: Promise<void>[]
  #isOver = false
  #next = 0

  /** `url` returns the current world of a writer, by its number from 0. */
  constructor(url: (writer: number) => string, token: string) {
    this.#running = Array.from({ length: WRITERS }, (_, writer) =>
      this.#write(writer, () => url(writer), token),
    )
  }

  /** Ids of the writes acknowledged so far. */
  get acknowledged(): readonly string[] {
    return this.#acknowledged
  }

  /** Ids acknowledged to one writer, by its number. */
  acknowledgedBy(writer: number): readonly string[] {
    return this.#byWriter[writer] ?? []
  }

  /** Waits for the writes in flight and starts no more. Returns the ids of the acknowledged writes. */
  async stop(): Promise<readonly string[]> {
    this.#isOver = true
    await Promise.all(this.#running)
    return this.#acknowledged
  }

  async #write(writer: number, url: () => string, token: string): Promise<void> {
    while (!this.#isOver) {
      const id = `t${this.#next++}`
      const { status } = await writeThing(url(), token, id, `Thing ${wordOf(id)}`)
      if (status !== 201) {
        await pause(AGAIN_MS)
        continue
      }
      this.#acknowledged.push(id)
      this.#byWriter[writer]?.push(id)
    }
  }
}

/** Returns a word unique to this thing, and no misspelling of another thing's word. */
export function wordOf(id: string): string {
  const number = Number(id.slice(1))
  return `w${(number * 7_919 + 1_000_003).toString(36)}${number}`
}
