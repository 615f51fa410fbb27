/** Reads from several nodes and checks each response against the lag that it states. */
import { setTimeout as pause } from 'node:timers/promises'
import { readThing, writeThing } from './served-world.ts'

const READERS = 4
/** Interval between writes, and between the reads of each reader, in milliseconds. */
const EVERY_MS = 20
/** Id of the thing, whose title is the number of its last write. */
const ID = 'numbered'

/** Writes and reads one thing repeatedly at random nodes until stopped. */
export class LagTrials {
  readonly #urls: readonly string[]
  readonly #token: string
  /** Acknowledged write numbers in ascending order, with the times of their acknowledgements from `performance.now()`. */
  readonly #acknowledged: { readonly number: number; readonly at: number }[] = []
  readonly #running: Promise<void>[]
  #isOver = false
  #trials = 0
  #late = 0

  constructor(urls: readonly string[], token: string) {
    this.#urls = urls
    this.#token = token
    this.#running = [this.#write(), ...Array.from({ length: READERS }, () => this.#read())]
  }

  /** Number of reads checked, and number of reads that were staler than stated. */
  get counts(): { readonly trials: number; readonly late: number } {
    return { trials: this.#trials, late: this.#late }
  }

  /** Stops the trials and waits for the requests in flight. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #write(): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const { status = 0 } = await writeThing(this.#url(), this.#token, ID, `${number}`)
      if (status === 200 || status === 201) this.#acknowledged.push({ number, at: performance.now() })
      await pause(EVERY_MS)
    }
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      const asked = performance.now()
      const { status, body, lagSeconds } = await readThing(this.#url(), ID)
      if (status === 200) this.#judge(Number(JSON.parse(body).title), asked - lagSeconds * 1_000)
      await pause(EVERY_MS)
    }
  }

  /** Checks that a response, stated to be current as of `moment`, includes every write acknowledged before. */
  #judge(number: number, moment: number): void {
    this.#trials += 1
    const due = this.#acknowledged.findLast(({ at }) => at < moment)
    if (due !== undefined && due.number > number) this.#late += 1
  }

  #url(): string {
    return this.#urls[Math.floor(Math.random() * this.#urls.length)] ?? ''
  }
}
