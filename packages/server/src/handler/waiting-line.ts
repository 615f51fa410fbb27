/** One lane of those that wait to be answered: whose turn it is, and who goes. */
import type { MaybePromise } from '../storage/contract.ts'
import { AddressTurns } from './address-turns.ts'
import { overloaded } from './error-response.ts'

/** How long anybody waits in a lane where nobody can begin. */
const MAX_WAIT_MS = 5_000
/** Requests that may wait in one lane, beside the first of each address: these are bounded by connections. */
const MAX_WAITING = 10_000

/** How much a lane holds. */
export interface Bounds {
  /** Requests that are worked for at the same time. */
  readonly running: number
  /** Bytes of the bodies of those requests, as they were announced. */
  readonly bytes: number
  /** Its work blocks the process: one is done before the next begins. */
  readonly blocks: boolean
}

/** One request that waits for its turn in a lane. */
export interface Waiting {
  /** In milliseconds. */
  readonly since: number
  /** The client's address: requests of one address wait behind each other. */
  readonly address: string
  /** Of the body, as they were announced. */
  readonly bytes: number
  readonly start: () => MaybePromise<unknown>
  readonly refuse: (error: unknown) => void
}

/** Those that wait in one lane. */
export class WaitingLine {
  readonly bounds: Bounds
  readonly #waiting = new AddressTurns<Waiting>()
  #running = 0
  #bytes = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** Work that alone is more than a lane holds may begin when the lane is empty. */
  hasRoomFor(bytes: number): boolean {
    if (this.#running >= this.bounds.running) return false
    return this.#running === 0 || this.#bytes + bytes <= this.bounds.bytes
  }

  /** Whether the one whose turn it is can begin. */
  canBegin(): boolean {
    const next = this.#waiting.next()
    return next !== undefined && this.hasRoomFor(next.bytes)
  }

  /** Whether one more request of an address is too many. The first one of an address never is. */
  isFull(address: string): boolean {
    return this.#waiting.size >= MAX_WAITING && this.#waiting.has(address)
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting.address, waiting)
  }

  /** Takes out whose turn it is; undefined where nobody waits. The next turn is that of another address. */
  take(): Waiting | undefined {
    return this.#waiting.take()
  }

  begun(bytes: number): void {
    this.#running += 1
    this.#bytes += bytes
  }

  ended(bytes: number): void {
    this.#running -= 1
    this.#bytes -= bytes
  }

  /** Refuses those that have waited too long. */
  refuseLate(now: number): void {
    // What can begin is late because the process was, and begins next.
    if (this.canBegin()) return
    const late = this.#waiting.takeWhile(({ since }) => now - since > MAX_WAIT_MS)
    for (const { refuse } of late) refuse(overloaded())
  }
}
