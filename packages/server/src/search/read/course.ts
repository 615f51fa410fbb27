/** The course of a search, which another one can take. */
import type { Deadline } from './deadline.ts'

/** What a search decides on its way: how the text is read, and at each step whether worse kinds of matches are looked for. */
export class Course {
  readonly deadline: Deadline
  readonly #steps: boolean[] = []
  #text: string | undefined
  #at = 0

  /** `deadline`: that of all searches that take this course, together. */
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

  /** The same course from its beginning, for the next search. */
  again(): this {
    this.#at = 0
    return this
  }
}
