/** The time a search may take. */

/** Small steps between two looks at the clock: a look costs some 50 ns, a step a tenth of it or more. */
const STEPS = 256

/** Ends a search early. It is noticed only when somebody asks. */
export class Deadline {
  /** Time was up when somebody asked. */
  passed = false
  #end: number
  #steps = 0
  /** Work that had a part of the time was ended early. */
  #wasCut = false

  /** Starts the clock. A search does not give up control, so an abort can only come before it. @throws the signal's reason */
  constructor(milliseconds: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    this.#end = performance.now() + milliseconds
  }

  /** Counts a small step of work. True once time is up. */
  step(): boolean {
    this.#steps += 1
    if (this.#steps % STEPS === 0) this.check()
    return this.passed
  }

  /** Something was left out: time is up, or that of a part of the work was. Looks at the clock. */
  get leftOut(): boolean {
    return this.check() || this.#wasCut
  }

  /** Does work that has only a part of the time that is left, such as half of it. True if that was not enough. */
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

  /** Looks at the clock. True once time is up. */
  check(): boolean {
    if (!this.passed && performance.now() > this.#end) this.passed = true
    return this.passed
  }
}
