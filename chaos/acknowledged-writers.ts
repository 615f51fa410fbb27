/** Writers that go on, whatever happens to the worlds that they write to, and what these acknowledged. */
import { setTimeout as pause } from 'node:timers/promises'
import { writeThing } from './served-world.ts'

const WRITERS = 8
/** Between a refusal and the next attempt, in milliseconds. */
const AGAIN_MS = 10

/** Owns eight writers until they are stopped. Each writes things of its own ids, and none twice. */
export class AcknowledgedWriters {
  readonly #acknowledged: string[] = []
  readonly #byWriter: readonly string[][] = Array.from({ length: WRITERS }, () => [])
  readonly #running: Promise<void>[]
  #isOver = false
  #next = 0

  /** `url`: of the world that a writer, by its number from 0, writes to now. */
  constructor(url: (writer: number) => string, token: string) {
    this.#running = Array.from({ length: WRITERS }, (_, writer) =>
      this.#write(writer, () => url(writer), token),
    )
  }

  /** The ids of the writes that were acknowledged so far. */
  get acknowledged(): readonly string[] {
    return this.#acknowledged
  }

  /** Those of one writer, by its number. */
  acknowledgedBy(writer: number): readonly string[] {
    return this.#byWriter[writer] ?? []
  }

  /** Waits for the writes that are under way, and begins no more. Gives the ids of those that were acknowledged. */
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

/** A word that no other thing has, and that is no misspelling of another one's. */
export function wordOf(id: string): string {
  const number = Number(id.slice(1))
  return `w${(number * 7_919 + 1_000_003).toString(36)}${number}`
}
