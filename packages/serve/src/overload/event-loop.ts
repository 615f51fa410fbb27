/** Period of the timer whose lateness is measured, in milliseconds. */
const PERIOD_MS = 10

/** Event loop delay of this process. Its timer starts on first use and does not keep the process alive. */
export class EventLoopDelay {
  readonly #now: () => number
  #due = 0
  #last = 0
  #isMeasured = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the delay of the last iteration, or of the current one if that is longer, in milliseconds. */
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
