/** How a search goes on: decided once, so that another search of the same text goes the same way. */
import type { Deadline } from './deadline.ts'

/** What is decided while a search runs: how the text is read, and at each step whether worse kinds of matches are looked for. */
export class QueryPlan {
  readonly deadline: Deadline
  readonly #steps: boolean[] = []
  #text: string | undefined
  #at = 0

  /** `deadline`: that of all searches by this plan, together. */
  constructor(deadline: Deadline) {
    this.deadline = deadline
  }

  /** The text as it is looked for: `read` is asked once, by the first search. */
  text(read: () => string): string {
    this.#text ??= read()
    return this.#text
  }

  /** The decision at the next step: that of the first search which came here; false once the time is up. */
  step(decide: () => boolean): boolean {
    const at = this.#at++
    this.#steps[at] ??= decide()
    return this.#steps[at] && !this.deadline.passed
  }

  /** The same plan from its beginning, for the next search. */
  restarted(): this {
    this.#at = 0
    return this
  }
}
