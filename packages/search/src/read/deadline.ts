/** Number of steps between clock reads. A clock read takes about 50 ns, and a step at least a tenth of that. */
const STEPS = 256

/** Ends a search early, once its thread has worked for some time. Expiry is detected only by polling. */
export class Deadline {
  /** Set once a poll has found that the deadline has passed. */
  passed = false
  /** Processor time of the thread at which the deadline passes, and the earliest time of the clock at which it can. */
  #end = 0
  #next = 0
  #steps = 0
  /** Set if work limited to a fraction of the time was cut short. */
  #wasCut = false

  /** Starts the timer. A search never yields, so it can be aborted only before it starts. @throws the signal's reason */
  constructor(milliseconds: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    this.#leave(milliseconds)
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
    this.#leave(part * Math.max(0, end - processorMs()))
    work()
    const isCut = this.check()
    this.#leave(end - processorMs())
    this.passed = false
    if (isCut) this.#wasCut = true
    this.check()
    return isCut
  }

  /** Reads the clock and returns true once the deadline has passed. */
  check(): boolean {
    if (this.passed || performance.now() <= this.#next) return this.passed
    const left = this.#end - processorMs()
    if (left > 0) this.#next = performance.now() + left
    else this.passed = true
    return this.passed
  }

  #leave(milliseconds: number): void {
    this.#end = processorMs() + milliseconds
    this.#next = performance.now() + milliseconds
  }
}

/** Processor time of this thread in milliseconds, so that other load does not cut a search short; in browsers, the clock. */
function processorMs(): number {
  const used = globalThis.process?.threadCpuUsage?.()
  return used ? (used.user + used.system) / 1_000 : performance.now()
}
