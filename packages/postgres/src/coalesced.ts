/** Work that many ask for at once, and that is done once for all of them. */
export class Coalesced {
  readonly #work: () => Promise<void>
  #current: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** `work`: never runs twice at the same time. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /**
   * Does the work, beginning after this call: while it is under way already, all who call share the next one. Fails as
   * that one does.
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

  /** Waits until nothing is under way, whatever became of it. */
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
