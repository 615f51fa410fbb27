/** Search plan whose decisions are made once, so that a second search for the same text takes the same steps. */
import type { Deadline } from './deadline.ts'
import type { NameWithin } from './names-within.ts'
import type { Hit } from './top-k.ts'

/**
 * Decisions of a search: the text to search for, the names in it, the cover that a document needs, the best hit and, at each
 * step, whether to search the next lower tier.
 */
export class QueryPlan {
  readonly deadline: Deadline
  readonly #steps: boolean[] = []
  #text: string | undefined
  #need: number | undefined
  #best: Hit | 'none' | undefined
  #names: readonly NameWithin[] | undefined
  #at = 0

  /** Creates a plan. All searches that share it also share `deadline`. */
  constructor(deadline: Deadline) {
    this.deadline = deadline
  }

  /** Returns the text to search for. Only the first search calls `read`. */
  text(read: () => string): string {
    this.#text ??= read()
    return this.#text
  }

  /** Returns the cover that a document needs to be found. Only the first search calls `read`. */
  need(read: () => number): number {
    this.#need ??= read()
    return this.#need
  }

  /** Returns the best hit of the first search that held a telling word. Only the first search calls `read`. */
  best(read: () => Hit | undefined): Hit | undefined {
    this.#best ??= read() ?? 'none'
    return this.#best === 'none' ? undefined : this.#best
  }

  /** Returns the names in the text. Only the first search calls `read`. */
  names(read: () => readonly NameWithin[]): readonly NameWithin[] {
    this.#names ??= read()
    return this.#names
  }

  /** Returns the decision of the first search that reached this step, or false once the deadline has passed. */
  step(decide: () => boolean): boolean {
    const at = this.#at++
    this.#steps[at] ??= decide()
    return this.#steps[at] && !this.deadline.passed
  }

  /** Rewinds the plan for the next search and returns it. */
  restarted(): this {
    this.#at = 0
    return this
  }
}
