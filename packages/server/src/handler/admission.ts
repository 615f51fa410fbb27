/**
 * Which requests are answered when there is more to do than can be done. A request that has to be worked for stands in a
 * lane. While the process keeps up, it is answered as it comes. Otherwise it waits, before its body is read, and what
 * would wait too long is refused at once, so that those who are answered are answered in time.
 *
 * How long is too long depends on the queue (M. Maurer, "Fail at Scale", 2015): a short burst may wait for long. A queue
 * that stands lets the newest go first, since whoever has waited for long may have gone, and refuses the others soon.
 */
import type { MaybePromise } from '../storage/contract.ts'
import { overloaded } from './error-response.ts'
import type { Lane } from './http.ts'

type QueuedLane = Exclude<Lane, 'free'>

/** What admission measures time with. */
export interface AdmissionOptions {
  /** Milliseconds, as of `performance.now()`. */
  readonly now?: () => number
}

/** How long one round of the event loop may work before connections and signs of life have their turn. */
const SLICE_MS = 10
/** How long a request may wait in a lane that was empty a moment ago. */
const BURST_MS = 250
/** How long in a lane where for longer than `BURST_MS` somebody has always waited. */
const STANDING_MS = 20
/** How often those that wait are looked at, if nothing else happens. */
const LOOK_MS = 10
/** Requests that may wait in one lane. */
const MAX_WAITING = 1_000
/**
 * Requests of a lane that are worked for at the same time. Reads block the process anyway. Actions are more than searches
 * may wait: who searches is chosen there, where clients take turns. Writes hold their bodies in memory, and those that are
 * made together block the process that makes them.
 */
const MAX_RUNNING: Readonly<Record<QueuedLane, number>> = {
  get: Number.POSITIVE_INFINITY,
  list: Number.POSITIVE_INFINITY,
  action: 512,
  write: 16,
}

interface Waiting {
  readonly since: number
  readonly start: () => Promise<void>
  readonly refuse: (error: unknown) => void
}

interface Queue {
  readonly mostRunning: number
  running: number
  waiting: Waiting[]
  /** Since when somebody has always waited. */
  standingSince: number
  /** When somebody was last refused. */
  refusedAt: number
}

/** Lets requests begin, wait, or go. */
export class Admission {
  readonly #now: () => number
  readonly #queues: Readonly<Record<QueuedLane, Queue>>
  /** Lanes in the order of their turns. */
  #turns: Queue[]
  #sliceEnds = 0
  #sliceIsOpen = false
  #isDraining = false
  #isLooking = false

  constructor({ now = () => performance.now() }: AdmissionOptions = {}) {
    this.#now = now
    const queue = (lane: QueuedLane): Queue => ({
      mostRunning: MAX_RUNNING[lane],
      running: 0,
      waiting: [],
      standingSince: 0,
      refusedAt: Number.NEGATIVE_INFINITY,
    })
    this.#queues = { get: queue('get'), list: queue('list'), action: queue('action'), write: queue('write') }
    this.#turns = Object.values(this.#queues)
  }

  /** Does the work, now or after a while. @throws WorldFault `unavailable` where it would have to wait too long */
  run<T>(lane: Lane, work: () => MaybePromise<T>): MaybePromise<T> {
    if (lane === 'free') return work()
    const queue = this.#queues[lane]
    if (queue.waiting.length === 0 && queue.running < queue.mostRunning && this.#hasTime())
      return this.#begin(queue, work)
    const now = this.#now()
    if (queue.waiting.length >= MAX_WAITING) {
      queue.refusedAt = now
      throw overloaded()
    }
    if (queue.waiting.length === 0) queue.standingSince = now
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue.waiting.push({
      since: now,
      refuse: reject,
      start: () => Promise.resolve(this.#begin(queue, work)).then(resolve, reject),
    })
    this.#drainSoon()
    return promise
  }

  /** Whether this round of the event loop may go on working. */
  #hasTime(): boolean {
    const now = this.#now()
    if (!this.#sliceIsOpen) {
      this.#sliceIsOpen = true
      this.#sliceEnds = now + SLICE_MS
      setImmediate(() => {
        this.#sliceIsOpen = false
      })
    }
    return now < this.#sliceEnds
  }

  #begin<T>(queue: Queue, work: () => MaybePromise<T>): MaybePromise<T> {
    queue.running += 1
    const ended = () => {
      queue.running -= 1
      if (queue.waiting.length > 0) this.#drainSoon()
    }
    try {
      const result = work()
      if (result instanceof Promise) return result.finally(ended)
      ended()
      return result
    } catch (error) {
      ended()
      throw error
    }
  }

  #drainSoon(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    setImmediate(() => this.#drain())
  }

  /** Lets those that wait begin, as long as there is time, and then in the next round. */
  async #drain(): Promise<void> {
    const ends = this.#now() + SLICE_MS
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { queue, waiting } = next
      const ended = waiting.start()
      // What blocks has ended when the promises that are due are settled; what waits for others is not waited for.
      if (queue.mostRunning === Number.POSITIVE_INFINITY) await Promise.race([ended, turn()])
      if (this.#now() >= ends) break
    }
    // Last: after a pause of the whole process, everybody is late.
    this.#refuseLate()
    this.#isDraining = false
    if (this.#turns.some(canBegin)) this.#drainSoon()
    else if (this.#turns.some(({ waiting }) => waiting.length > 0)) this.#lookSoon()
  }

  /** Whose turn it is: of the lane that had its own longest ago the oldest, or where the queue stands, the newest. */
  #next(): { readonly queue: Queue; readonly waiting: Waiting } | undefined {
    const queue = this.#turns.find(canBegin)
    if (queue === undefined) return undefined
    this.#turns = [...this.#turns.filter((other) => other !== queue), queue]
    const waiting = this.#isStanding(queue) ? queue.waiting.pop() : queue.waiting.shift()
    return waiting && { queue, waiting }
  }

  #isStanding(queue: Queue): boolean {
    const now = this.#now()
    // Empty because all were refused is no sign of having kept up.
    return (
      now - queue.refusedAt < BURST_MS || (queue.waiting.length > 0 && now - queue.standingSince > BURST_MS)
    )
  }

  #lookSoon(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    setTimeout(() => {
      this.#isLooking = false
      this.#drainSoon()
    }, LOOK_MS)
  }

  #refuseLate(): void {
    const now = this.#now()
    for (const queue of this.#turns) {
      const limit = this.#isStanding(queue) ? STANDING_MS : BURST_MS
      // They wait in the order in which they came.
      const late = queue.waiting.findIndex(({ since }) => now - since <= limit)
      const refused = queue.waiting.splice(0, late < 0 ? queue.waiting.length : late)
      if (refused.length > 0) queue.refusedAt = now
      for (const { refuse } of refused) refuse(overloaded())
    }
  }
}

function canBegin({ waiting, running, mostRunning }: Queue): boolean {
  return waiting.length > 0 && running < mostRunning
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
