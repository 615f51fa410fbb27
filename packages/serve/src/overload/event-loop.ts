/** Measures the delay of the event loop: the time for which a new event may have waited already. */

/** Period of the timer whose lateness is measured, in milliseconds. */
const PERIOD_MS = 10

/** Delay of the event loop of this process. Its timer runs from the first call on, and keeps no process alive. */
export class EventLoopDelay {
  readonly #now: () => number
  #due = 0
  #last = 0
  #isMeasured = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the delay in milliseconds: of the last round, or of this one if it has lasted longer already. */
  current(): number {
    if (!this.#isMeasured) this.#start()
    return Math.max(this.#last, this.#now() - this.#due)
  }

  #start(): void {
    this.#isMeasured = true
    this.#due = this.#now() + PERIOD_MS
    setInterval(() => {
      const now = this.#now()
      this.#last = now - this.#due
      this.#due = now + PERIOD_MS
    }, PERIOD_MS).unref()
  }
}
