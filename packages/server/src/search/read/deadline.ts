/** The time a search may take. */

/** How many small steps go between two looks at the clock: a look costs some 50 ns, a step a tenth of it or more. */
const STEPS = 256

/** Says when time is up. */
export class Budget {
  /** Time was up when somebody asked. */
  spent = false
  readonly #end: number
  readonly #signal: AbortSignal | undefined
  #steps = 0

  constructor(milliseconds: number, signal?: AbortSignal) {
    this.#end = performance.now() + milliseconds
    this.#signal = signal
  }

  /** Counts a small step of work. True once time is up. */
  step(): boolean {
    this.#steps += 1
    if (this.#steps % STEPS === 0) this.check()
    return this.spent
  }

  /** Looks at the clock. True once time is up. @throws the reason of the signal where that is aborted */
  check(): boolean {
    this.#signal?.throwIfAborted()
    if (!this.spent && performance.now() > this.#end) this.spent = true
    return this.spent
  }
}
