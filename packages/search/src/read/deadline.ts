/** Time limit of a search. */

/** Number of steps between clock reads. A clock read takes about 50 ns, and a step at least a tenth of that. */
const STEPS = 256

/** Ends a search early. Expiry is detected only by polling. */
export class Deadline {
  /** Set once a poll has found that the deadline has passed. */
  passed = false
  #end: number
  #steps = 0
  /** Set if work limited to a fraction of the time was cut short. */
  #wasCut = false

  /** Starts the timer. A search never yields, so it can be aborted only before it starts. @throws the signal's reason */
  constructor(milliseconds: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    this.#end = performance.now() + milliseconds
  }

  /** Counts one small step of work. Returns true once the deadline has passed. */
  step(): boolean {
    this.#steps += 1
    if (this.#steps % STEPS === 0) this.check()
    return this.passed
  }

  /** Reports whether work was omitted because the deadline or the limit of a `within` call was reached. Reads the clock. */
  get leftOut(): boolean {
    return this.check() || this.#wasCut
  }

  /** Runs `work` within the fraction `part` of the remaining time. Returns true if `work` was cut short. */
  within(part: number, work: () => void): boolean {
    const end = this.#end
    const now = performance.now()
    this.#end = now + part * Math.max(0, end - now)
    work()
    const isCut = this.check()
    this.#end = end
    this.passed = false
    if (isCut) this.#wasCut = true
    this.check()
    return isCut
  }

  /** Reads the clock and returns true once the deadline has passed. */
  check(): boolean {
    if (!this.passed && performance.now() > this.#end) this.passed = true
    return this.passed
  }
}
