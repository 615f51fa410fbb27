/**
 * Admission control: decides when work for a request begins. While the process is healthy, all work begins at once and
 * nothing is measured but the delay of the event loop. Beyond a threshold requests queue by class, fair by address, and work
 * is done in slices, between which connections have their turn. A queued client sends no further requests, so queueing is
 * cheaper than refusing: only beyond a bound of estimated work, or of requests, does one get 503. The work of searches and
 * writes is done elsewhere, so that their estimate is that of their beginning.
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
/** Estimated work that a class holds, in milliseconds: what comes on top is refused. */
const MAX_QUEUED_MS = 10_000
/** Estimate of a request of which none was measured, in milliseconds. */
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

/** A class of requests: those of one class do not take turns with those of another. */
interface Class {
  readonly queue: FairQueue<Waiting>
  /** Its work blocks the process: one request is done before the next begins. */
  readonly blocks: boolean
  /** Work of one request, as measured, in milliseconds. */
  estimate: number
}

const NOBODY: Client = { address: '', connection: 0 }

/** Lets requests begin, queue, or go. A process has one. */
export class Admission implements RequestAdmission {
  readonly #now: () => number
  readonly #delay: EventLoopDelay
  readonly #classes: Readonly<Record<Queued, Class>>
  /** Classes in the order of their turns. */
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

  /** Rejects with `unavailable` if too much waits, with the reason of the signal if its client has left. */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T> {
    if (lane === 'free') return work()
    const own = this.#classes[lane]
    if (own.queue.size === 0 && this.isCalm()) return work()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // It begins in the turn of another request, and runs in its own asynchronous context.
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
      // Blocking work is over once the promises that are due are settled; no other work is waited for.
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
