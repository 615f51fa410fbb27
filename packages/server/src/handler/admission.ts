/**
 * In which order requests are answered when there is more to do than can be done. A request that has to be worked for
 * stands in a lane. While the process keeps up, it is answered as it comes. Otherwise it waits, before its body is read,
 * and behind those that its own address has asked before: addresses take turns.
 *
 * Who waits asks for nothing else meanwhile, and costs nothing. Who is refused asks again: that costs as much as a part of
 * an answer, and five times too much of it would leave no time for answers. So what there is to do is bounded by the
 * connections that ask, and refused is what is more than can be remembered, or cannot begin. Work is done in slices,
 * between which connections have their turn.
 */
import type { MaybePromise } from '../storage/contract.ts'
import { overloaded } from './error-response.ts'
import type { Lane, WorldRequest } from './http.ts'
import { type Bounds, type Waiting, WaitingLine } from './waiting-line.ts'

type QueuedLane = Exclude<Lane, 'free'>

/** What admission measures time with. */
export interface AdmissionOptions {
  /** Milliseconds, as of `performance.now()`. */
  readonly now?: () => number
}

/** How long one round of the event loop may work before connections and signs of life have their turn. */
const SLICE_MS = 2
/** How often those that wait are looked at, if nothing else happens. */
const LOOK_MS = 10
const ANY = Number.POSITIVE_INFINITY
const READS: Bounds = { running: ANY, bytes: ANY, blocks: true }
const BOUNDS: Readonly<Record<QueuedLane, Bounds>> = {
  kept: READS,
  get: READS,
  list: READS,
  // Searches wait where all processes have theirs. Here, those whose bodies come slowly would take the places of others.
  action: { ...READS, blocks: false },
  // Bodies are held in memory, here and on their way through the process that writes.
  write: { running: 64, bytes: 2 * 1024 * 1024, blocks: false },
}

/** The client of a request, and whether it is still there. */
export type Asking = Pick<WorldRequest, 'client' | 'signal'>

/** Lets requests begin, wait, or go. */
export class Admission {
  readonly #now: () => number
  readonly #lanes: Readonly<Record<QueuedLane, WaitingLine>>
  /** Lanes in the order of their turns. */
  #turns: WaitingLine[]
  #sliceEnds = 0
  #sliceIsOpen = false
  #isDraining = false
  #isLooking = false

  constructor({ now = () => performance.now() }: AdmissionOptions = {}) {
    this.#now = now
    const line = (lane: QueuedLane) => new WaitingLine(BOUNDS[lane])
    this.#lanes = {
      kept: line('kept'),
      get: line('get'),
      list: line('list'),
      action: line('action'),
      write: line('write'),
    }
    this.#turns = Object.values(this.#lanes)
  }

  /** How many requests wait until work for them begins. While none does, no lane is full. */
  waiting(): number {
    let sum = 0
    for (const { size } of this.#turns) sum += size
    return sum
  }

  /** Whether a lane takes nothing more from this client: `run` would throw. */
  isFull(lane: Lane, { client }: Asking): boolean {
    return lane !== 'free' && this.#lanes[lane].isFull(client?.address ?? '')
  }

  /**
   * Does the work, now or after a while. `bytes`: of the request's body. What nobody waits for any more is not done: it
   * rejects with the reason of the signal.
   * @throws WorldFault `unavailable` where too many wait, or it waited for too long while nobody could begin
   */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>, bytes = 0): MaybePromise<T> {
    if (lane === 'free') return work()
    const line = this.#lanes[lane]
    if (line.size === 0 && line.hasRoomFor(bytes) && this.#hasTime()) return this.#begin(line, work, bytes)
    const address = asking.client?.address ?? ''
    if (line.isFull(address)) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const start = () => {
      try {
        asking.signal?.throwIfAborted()
        const result = this.#begin(line, work, bytes)
        resolve(result)
        return result
      } catch (error) {
        reject(error)
        return undefined
      }
    }
    line.add({ since: this.#now(), address, bytes, start, refuse: reject })
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

  #begin<T>(line: WaitingLine, work: () => MaybePromise<T>, bytes: number): MaybePromise<T> {
    line.begun(bytes)
    const ended = () => {
      line.ended(bytes)
      if (line.size > 0) this.#drainSoon()
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
    // A connection is accepted in one round, and its request read in the next: both before the next slice.
    setImmediate(() => setImmediate(() => this.#drain()))
  }

  /** Lets those that wait begin, as long as there is time, and then in the next round. */
  async #drain(): Promise<void> {
    const ends = this.#now() + SLICE_MS
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const result = next.waiting.start()
      // What blocks has ended when the promises that are due are settled; what waits for others is not waited for.
      if (result instanceof Promise && next.blocks) await Promise.race([result.catch(() => {}), turn()])
      if (this.#now() >= ends) break
    }
    // Last: after a pause of the whole process, everybody is late.
    const now = this.#now()
    for (const line of this.#turns) line.refuseLate(now)
    this.#isDraining = false
    if (this.#turns.some((line) => line.canBegin())) this.#drainSoon()
    else if (this.waiting() > 0) this.#lookSoon()
  }

  /** Whose turn it is, in the lane that had its own longest ago. */
  #next(): { readonly waiting: Waiting; readonly blocks: boolean } | undefined {
    const line = this.#turns.find((line) => line.canBegin())
    const waiting = line?.take()
    if (line === undefined || waiting === undefined) return undefined
    this.#turns = [...this.#turns.filter((other) => other !== line), line]
    return { waiting, blocks: line.bounds.blocks }
  }

  #lookSoon(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    setTimeout(() => {
      this.#isLooking = false
      this.#drainSoon()
    }, LOOK_MS)
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
