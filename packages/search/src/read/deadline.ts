/** Time limit of a search. */

/** Steps between two reads of the clock: a read costs some 50 ns, a step a tenth of it or more. */
const STEPS = 256

/** Ends a search early. The end is noticed only by polling. */
export class Deadline {
  /** Set once a poll has found that time is up. */
  passed = false
  #end: number
  #steps = 0
  /** Set if work with a part of the time was ended early. */
  #wasCut = false

  /** Starts the clock. A search does not give up control, so an abort can only come before it. @throws the signal's reason */
  constructor(milliseconds: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    this.#end = performance.now() + milliseconds
  }

  /** Counts a small step of work. Returns true once time is up. */
  step(): boolean {
    this.#steps += 1
    if (this.#steps % STEPS === 0) this.check()
    return this.passed
  }

  /** Reports whether work was left out, as time is up or that of a part of the work was. Reads the clock. */
  get leftOut(): boolean {
    return this.check() || this.#wasCut
  }

  /** Runs work within a part of the remaining time, such as half of it. Returns true if that was not enough. */
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

  /** Reads the clock. Returns true once time is up. */
  check(): boolean {
    if (!this.passed && performance.now() > this.#end) this.passed = true
    return this.passed
  }
}
