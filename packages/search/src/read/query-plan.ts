/** The plan of a search: decided once, so that another search of the same text takes the same steps. */
import type { Deadline } from './deadline.ts'

/** Decisions of a running search: how the text is read, and at each step whether to look for worse kinds of matches. */
export class QueryPlan {
  readonly deadline: Deadline
  readonly #steps: boolean[] = []
  #text: string | undefined
  #at = 0

  /** `deadline`: shared by all searches with this plan. */
  constructor(deadline: Deadline) {
    this.deadline = deadline
  }

  /** Returns the text to search for. `read` is called once, by the first search. */
  text(read: () => string): string {
    this.#text ??= read()
    return this.#text
  }

  /** Returns the decision at the next step: that of the first search to get here; false once time is up. */
  step(decide: () => boolean): boolean {
    const at = this.#at++
    this.#steps[at] ??= decide()
    return this.#steps[at] && !this.deadline.passed
  }

  /** Returns the same plan from its beginning, for the next search. */
  restarted(): this {
    this.#at = 0
    return this
  }
}
