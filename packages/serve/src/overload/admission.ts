/**
 * Admission control: decides when the work of a request begins. While the process is healthy, all work begins immediately
 * and only the event loop delay is measured. Beyond a threshold, requests queue by class, fairly by address, and work runs
 * in slices, between which connections are served. A queued client sends no further requests, so queueing is cheaper than
 * refusing: a request gets 503 only if too much estimated work or too many requests are queued. Searches and writes run in
 * other processes, so their estimate covers only starting them.
 */
import { AsyncResource } from 'node:async_hooks'
import { type Asking, type Lane, overloaded, type RequestAdmission } from '@worldwright/core'
import type { Client, MaybePromise } from '@worldwright/core/store'
import { EventLoopDelay } from './event-loop.ts'
import { FairQueue, type Waiting } from './fair-queue.ts'

/** Event loop delay beyond which requests queue, in milliseconds. */
const LATE_MS = 20
/** Threshold for cached responses, in milliseconds. Answering 1,000 connections in one iteration takes less. */
const CACHED_LATE_MS = 50
/** Maximum work per event loop iteration while requests queue, in milliseconds. */
const SLICE_MS = 5
/** Maximum estimated work queued in a class, in milliseconds. Requests beyond it are refused. */
const MAX_QUEUED_MS = 10_000
/** Initial estimate for a request, in milliseconds. */
const FIRST_MS = 1
/** Weight of the latest measurement in the moving average. */
const WEIGHT = 0.1

type Queued = Exclude<Lane, 'free'>

/** A queued request whose work has not begun. Its cost is an estimate, in milliseconds. */
interface WaitingRequest extends Waiting {
  readonly start: () => MaybePromise<unknown>
  readonly refuse: (error: unknown) => void
}

/** A class of requests. Requests take turns within their class, and the classes take turns. */
interface Class {
  readonly queue: FairQueue<WaitingRequest>
  /** True if the work blocks the process, so that requests run one at a time. */
  readonly blocks: boolean
  /** Delay of the event loop beyond which its requests queue, in milliseconds. */
  readonly lateMs: number
  /** Measured work of one request, in milliseconds. */
  estimate: number
}

const NOBODY: Client = { address: '', connection: 0 }

/** Starts, queues or refuses requests. Each process has one instance. */
export class Admission implements RequestAdmission {
  readonly #now: () => number
  readonly #delay: EventLoopDelay
  readonly #classes: Readonly<Record<Queued, Class>>
  /** Classes in round-robin order, with the next one first. */
  #turns: Class[]
  #isDraining = false

  /** @param now monotonic clock, in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now
    this.#delay = new EventLoopDelay(now)
    const queue = () => new FairQueue<WaitingRequest>(() => MAX_QUEUED_MS)
    this.#classes = {
      cached: { queue: queue(), blocks: true, lateMs: CACHED_LATE_MS, estimate: FIRST_MS },
      read: { queue: queue(), blocks: true, lateMs: LATE_MS, estimate: FIRST_MS },
      // Searches and commits run in other processes or wait for the disk.
      search: { queue: queue(), blocks: false, lateMs: LATE_MS, estimate: FIRST_MS },
      write: { queue: queue(), blocks: false, lateMs: LATE_MS, estimate: FIRST_MS },
    }
    this.#turns = Object.values(this.#classes)
  }

  isCalm(): boolean {
    return this.#delay.current() < CACHED_LATE_MS
  }

  /** Runs `work` now or when its turn comes. Rejects with `unavailable` if too much is queued, or with the abort reason. */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T> {
    if (lane === 'free') return work()
    const own = this.#classes[lane]
    if (own.queue.size === 0 && this.#delay.current() < own.lateMs) return work()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // Another request starts this work, which must still run in the asynchronous context of its own request.
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
    // A connection is accepted in one iteration and its request is read in the next, both before the next slice.
    setImmediate(() => setImmediate(() => this.#drain()))
  }

  async #drain(): Promise<void> {
    const ends = this.#now() + SLICE_MS
    let round = nextRound()
    for (let at = this.#now(); at < ends; ) {
      const own = this.#turns.find(({ queue }) => queue.size > 0)
      const next = own?.queue.take()
      if (own === undefined || next === undefined) break
      this.#turns = [...this.#turns.filter((other) => other !== own), own]
      const result = next.start()
      // Wait for blocking work, which is done once pending promises settle. Do not wait for other work.
      if (result instanceof Promise && own.blocks) {
        if (round.isThere) round = nextRound()
        await Promise.race([result.catch(() => {}), round.promise])
      }
      const ended = this.#now()
      own.estimate += WEIGHT * (ended - at - own.estimate)
      at = ended
    }
    this.#isDraining = false
    if (this.#turns.some(({ queue }) => queue.size > 0)) this.#drainSoon()
  }
}

/** Returns a promise that resolves in the next event loop iteration, and a flag that is then set. */
function nextRound() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const round = { promise, isThere: false }
  setImmediate(() => {
    round.isThere = true
    resolve()
  })
  return round
}
