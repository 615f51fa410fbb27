/** One lane of those that wait to be answered: how many may, for how long, and who goes. */
import type { MaybePromise } from '../storage/contract.ts'
import { overloaded } from './error-response.ts'

/** How long a request may wait in a lane that was empty a moment ago. */
const BURST_MS = 250
/** How long in a lane where for longer than `BURST_MS` somebody has always waited. */
const STANDING_MS = 20
/** Over how long is measured how many begin. */
const RATE_MS = 100
/** Requests that may wait in one lane. */
const MAX_WAITING = 1_000

/** How much a lane holds, and what becomes of the rest. */
export interface Bounds {
  /** Requests that are worked for at the same time. */
  readonly running: number
  /** Bytes of the bodies of those requests, as they were announced. */
  readonly bytes: number
  /** Its work blocks the process: one is done before the next begins. */
  readonly blocks: boolean
  /** False: refusing would cost as much as answering. */
  readonly refuses: boolean
  /** Requests that may always wait, 1 or more: so few are no crowd, even where the machine leaves the process little time. */
  readonly always: number
}

/** One request that waits for its turn in a lane. */
export interface Waiting {
  /** In milliseconds. */
  readonly since: number
  /** Of the body, as they were announced. */
  readonly bytes: number
  readonly start: () => MaybePromise<unknown>
  readonly refuse: (error: unknown) => void
}

/** Those that wait in one lane, in the order in which they came, and what is known of how long that takes. */
export class WaitingLine {
  readonly bounds: Bounds
  readonly waiting: Waiting[] = []
  #running = 0
  #bytes = 0
  /** Since when somebody has always waited. */
  #standingSince = 0
  /** Empty because all were refused is no sign of having kept up. */
  #refusedAt = Number.NEGATIVE_INFINITY
  /** How many began since when, and how many in each millisecond before that. */
  #begun = 0
  #countedSince = 0
  #rate = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** One that alone is more than a lane holds may be worked for when nobody else is. */
  hasRoomFor(bytes: number): boolean {
    if (this.#running >= this.bounds.running) return false
    return this.#running === 0 || this.#bytes + bytes <= this.bounds.bytes
  }

  canBegin(): boolean {
    const [first] = this.waiting
    return first !== undefined && this.hasRoomFor(first.bytes)
  }

  isFull(now: number): boolean {
    if (!this.bounds.refuses || this.waiting.length === 0) return false
    return this.waiting.length >= (this.#isStanding(now) ? this.#room(now) : MAX_WAITING)
  }

  /** What to say where it is full. */
  refusal(now: number): Error {
    this.#refusedAt = now
    return overloaded()
  }

  add(waiting: Waiting): void {
    const { since } = waiting
    if (this.waiting.length === 0) this.#standingSince = since
    // While the queue stands, it goes on counting: it may be empty for a moment again and again.
    if (this.waiting.length === 0 && !this.#isStanding(since)) {
      this.#countedSince = since
      this.#begun = 0
    }
    this.waiting.push(waiting)
  }

  begun(bytes: number): void {
    this.#begun += 1
    this.#running += 1
    this.#bytes += bytes
  }

  ended(bytes: number): void {
    this.#running -= 1
    this.#bytes -= bytes
  }

  /** Refuses the oldest of those that will not begin in time. */
  refuseLate(now: number): void {
    if (!this.bounds.refuses) return
    const tooMany = this.#isStanding(now) ? Math.max(0, this.waiting.length - this.#room(now)) : 0
    // Whoever can begin is late because the process was, and begins next.
    const isLate = ({ since }: Waiting) => now - since > BURST_MS && !this.canBegin()
    const onTime = this.waiting.findIndex((waiting) => !isLate(waiting))
    const late = onTime < 0 ? this.waiting.length : onTime
    const refused = this.waiting.splice(0, Math.max(tooMany, late))
    for (const { refuse } of refused) refuse(this.refusal(now))
  }

  #isStanding(now: number): boolean {
    if (now - this.#refusedAt < BURST_MS) return true
    return this.waiting.length > 0 && now - this.#standingSince > BURST_MS
  }

  /** How many begin within `STANDING_MS`, by what was measured of late, and never fewer than may always wait. */
  #room(now: number): number {
    const ms = now - this.#countedSince
    if (ms >= RATE_MS) {
      this.#rate = this.#begun / ms
      this.#begun = 0
      this.#countedSince = now
    }
    return Math.max(this.bounds.always, Math.ceil(this.#rate * STANDING_MS))
  }
}
