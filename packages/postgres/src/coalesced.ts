/** Coalesces work that many callers request at once into a single run. */
export class Coalesced {
  readonly #work: () => Promise<void>
  #current: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** `work`: never runs twice at the same time. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /**
   * Runs the work, starting after this call. While a run is under way, all callers share the next one. Fails as that one
   * does.
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

  /** Waits until no run is under way, whether it succeeds or fails. */
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
