/** Runs writers that keep writing through all failures of their worlds and record the acknowledged writes. */
import { setTimeout as pause } from 'node:timers/promises'
import { writeThing } from './served-world.ts'

const WRITERS = 8
/** Retry delay after a refusal, in milliseconds. */
const AGAIN_MS = 10

/** Runs eight writers until they are stopped. No id is ever written twice. */
export class AcknowledgedWriters {
  readonly #token: string
  readonly #acknowledged: string[] = []
  readonly #byWriter: readonly string[][] = Array.from({ length: WRITERS }, () => [])
  readonly #refused = new Set<string>()
  readonly #inFlight = new Map<number, string>()
  readonly #running: Promise<void>[]
  #isOver = false
  #longestMs = 0
  #next = 0

  /** `url` returns the URL of a writer's current world. Writers are numbered from 0. */
  constructor(url: (writer: number) => string, token: string) {
    this.#token = token
    this.#running = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer, () => url(writer)))
  }

  /** Ids of the writes acknowledged so far. */
  get acknowledged(): readonly string[] {
    return this.#acknowledged
  }

  /** Ids of the writes that were answered as not written. */
  get refused(): ReadonlySet<string> {
    return this.#refused
  }

  /** Returns the id that the writer with this number is writing, or has just written. */
  inFlight(writer: number): string | undefined {
    return this.#inFlight.get(writer)
  }

  /** Longest time that a writer was refused, from its first refusal to the next acknowledgement, in milliseconds. */
  get longestRefusedMs(): number {
    return this.#longestMs
  }

  /** Returns the ids acknowledged to the writer with this number. */
  acknowledgedBy(writer: number): readonly string[] {
    return this.#byWriter[writer] ?? []
  }

  /** Starts no more writes and waits for those in flight. Returns the ids of the acknowledged writes. */
  async stop(): Promise<readonly string[]> {
    this.#isOver = true
    await Promise.all(this.#running)
    return this.#acknowledged
  }

  /** Writes a new id once and records the outcome. Returns the id if the write was acknowledged. */
  async attempt(url: string, writer?: number): Promise<string | undefined> {
    const id = `t${this.#next++}`
    if (writer !== undefined) this.#inFlight.set(writer, id)
    const { status, body } = await writeThing(url, this.#token, id, `Thing ${wordOf(id)}`)
    if (status === 201) this.#acknowledged.push(id)
    else if (status !== undefined && !body.includes('"undecided"')) this.#refused.add(id)
    return status === 201 ? id : undefined
  }

  async #write(writer: number, url: () => string): Promise<void> {
    let refusedAt: number | undefined
    while (!this.#isOver) {
      const began = performance.now()
      const id = await this.attempt(url(), writer)
      if (id === undefined) {
        refusedAt ??= began
        await pause(AGAIN_MS)
        continue
      }
      if (refusedAt !== undefined) this.#longestMs = Math.max(this.#longestMs, performance.now() - refusedAt)
      refusedAt = undefined
      this.#byWriter[writer]?.push(id)
    }
  }
}

/** Returns the unique word of a thing. It differs too much from the words of other things to match as a misspelling. */
export function wordOf(id: string): string {
  const number = Number(id.slice(1))
  return `w${(number * 7_919 + 1_000_003).toString(36)}${number}`
}
