/** Coalesces concurrent requests for the same work into a single run. */
export class Coalesced {
  readonly #work: () => Promise<void>
  #current: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Creates a runner for `work`, which never runs concurrently with itself. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /**
   * Runs the work. All calls made during a run share a single subsequent run. Rejects if the run that serves the call fails.
   */
  run(): Promise<void> {
    if (this.#current === undefined) return this.#begin()
    this.#next ??= this.#current
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#begin()
      })
    return this.#next
  }

  /** Waits until no run is in progress. Never rejects. */
  async idle(): Promise<void> {
    while (this.#current !== undefined) await (this.#next ?? this.#current).catch(() => {})
  }

  #begin(): Promise<void> {
    this.#current = this.#work().finally(() => {
      this.#current = undefined
    })
    return this.#current
  }
}
