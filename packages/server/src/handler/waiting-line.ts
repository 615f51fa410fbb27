/** One lane of those that wait to be answered: whose turn it is, and who goes. */
import type { MaybePromise } from '../storage/contract.ts'
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

/** Those that wait in one lane. Addresses take turns; within one, the first to come is the first to go. */
export class WaitingLine {
  readonly bounds: Bounds
  /** By address, in the order of their turns. Nobody is here with nothing that waits. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #running = 0
  #bytes = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** How many wait. */
  get size(): number {
    return this.#count
  }

  /** Work that alone is more than a lane holds may begin when the lane is empty. */
  hasRoomFor(bytes: number): boolean {
    if (this.#running >= this.bounds.running) return false
    return this.#running === 0 || this.#bytes + bytes <= this.bounds.bytes
  }

  /** Whether the one whose turn it is can begin. */
  canBegin(): boolean {
    for (const [first] of this.#waiting.values()) return first !== undefined && this.hasRoomFor(first.bytes)
    return false
  }

  /** Whether one more request of an address is too many. The first one of an address never is. */
  isFull(address: string): boolean {
    return this.#count >= MAX_WAITING && this.#waiting.has(address)
  }

  add(waiting: Waiting): void {
    const { address } = waiting
    const own = this.#waiting.get(address)
    if (own === undefined) this.#waiting.set(address, [waiting])
    else own.push(waiting)
    this.#count += 1
  }

  /** Takes out whose turn it is; undefined where nobody waits. The next turn is that of another address. */
  take(): Waiting | undefined {
    for (const [address, own] of this.#waiting) {
      const first = own.shift()
      this.#count -= 1
      this.#waiting.delete(address)
      if (own.length > 0) this.#waiting.set(address, own)
      return first
    }
    return undefined
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
    for (const [address, own] of this.#waiting) {
      const onTime = own.findIndex(({ since }) => now - since <= MAX_WAIT_MS)
      const late = own.splice(0, onTime < 0 ? own.length : onTime)
      this.#count -= late.length
      if (own.length === 0) this.#waiting.delete(address)
      for (const { refuse } of late) refuse(overloaded())
    }
  }
}
