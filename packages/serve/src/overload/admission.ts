/**
 * Admission control: decides when work for a request begins. While the process is healthy, all work begins at once and only the
 * delay of the event loop is measured. Beyond a threshold requests queue by class, fairly by address, and work runs in slices,
 * between which connections are served. A queued client sends no further requests, so queueing is cheaper than refusing: only
 * beyond a bound of estimated work, or of requests, does one get 503. The work of searches and writes is done elsewhere, so
 * their estimate covers only its start.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Asking, Lane, RequestAdmission } from '@worldwright/core'
import { overloaded } from '@worldwright/core'
import type { Client, MaybePromise } from '@worldwright/core/store'
import { EventLoopDelay } from './event-loop.ts'
import { FairQueue } from './fair-queue.ts'

/** Delay of the event loop beyond which requests queue, in milliseconds. */
const LATE_MS = 20
/** Longest work in one round of the event loop while requests queue, in milliseconds. */
const SLICE_MS = 5
/** Maximum estimated work queued in a class, in milliseconds. More is refused. */
const MAX_QUEUED_MS = 10_000
/** Estimate for a request of a class before the first measurement, in milliseconds. */
const FIRST_MS = 1
/** Weight of the newest measurement in the estimate. */
const WEIGHT = 0.1

type Queued = Exclude<Lane, 'free'>

/** A request that waits for its work to begin. */
interface Waiting {
  readonly client: Client
  /** Estimated work, in milliseconds. */
  readonly cost: number
  readonly start: () => MaybePromise<unknown>
  readonly refuse: (error: unknown) => void
}

/** A class of requests. Requests take turns within their class, and the classes take turns. */
interface Class {
  readonly queue: FairQueue<Waiting>
  /** True if its work blocks the process: each request is done before the next begins. */
  readonly blocks: boolean
  /** Measured work of one request, in milliseconds. */
  estimate: number
}

const NOBODY: Client = { address: '', connection: 0 }

/** Starts, queues or refuses requests. A process has one. */
export class Admission implements RequestAdmission {
  readonly #now: () => number
  readonly #delay: EventLoopDelay
  readonly #classes: Readonly<Record<Queued, Class>>
  /** Classes in the order of their turns, the next first. */
  #turns: Class[]
  #isDraining = false

  /** @param now milliseconds of a monotonic clock */
  constructor(now = () => performance.now()) {
    this.#now = now
    this.#delay = new EventLoopDelay(now)
    const queue = () => new FairQueue<Waiting>(() => MAX_QUEUED_MS)
    this.#classes = {
      cached: { queue: queue(), blocks: true, estimate: FIRST_MS },
      read: { queue: queue(), blocks: true, estimate: FIRST_MS },
      // Searches and commits are done by other processes, or wait for the disk.
      search: { queue: queue(), blocks: false, estimate: FIRST_MS },
      write: { queue: queue(), blocks: false, estimate: FIRST_MS },
    }
    this.#turns = Object.values(this.#classes)
  }

  isCalm(): boolean {
    return this.#delay.current() < LATE_MS
  }

  /** Runs `work` now or in its turn. Rejects with `unavailable` if too much waits, with the signal's reason once aborted. */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T> {
    if (lane === 'free') return work()
    const own = this.#classes[lane]
    if (own.queue.size === 0 && this.isCalm()) return work()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // It begins in the turn of another request, but must run in its own asynchronous context.
    const start = AsyncResource.bind(() => {
      try {
        asking.signal?.throwIfAborted()
        const result = work()
        resolve(result)
        return result
      } catch (error) {
        reject(error)
        return undefined
      }
    })
    const { client = NOBODY } = asking
    const refused = own.queue.add({ client, cost: own.estimate, start, refuse: reject })
    for (const { refuse } of refused) refuse(overloaded())
    this.#drainSoon()
    return promise
  }

  #drainSoon(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    // A connection is accepted in one round, and its request read in the next: both before the next slice.
    setImmediate(() => setImmediate(() => this.#drain()))
  }

  async #drain(): Promise<void> {
    const ends = this.#now() + SLICE_MS
    for (let at = this.#now(); at < ends; ) {
      const own = this.#turns.find(({ queue }) => queue.size > 0)
      const next = own?.queue.take()
      if (own === undefined || next === undefined) break
      this.#turns = [...this.#turns.filter((other) => other !== own), own]
      const result = next.start()
      // Blocking work is over once the promises that are due settle; other work is not awaited.
      if (result instanceof Promise && own.blocks) await Promise.race([result.catch(() => {}), turn()])
      const ended = this.#now()
      own.estimate += WEIGHT * (ended - at - own.estimate)
      at = ended
    }
    this.#isDraining = false
    if (this.#turns.some(({ queue }) => queue.size > 0)) this.#drainSoon()
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
