/** Limits of the groups of a search: its deadline, and the memory that grows with the data. */
import type { Deadline } from './deadline.ts'

/** Memory that is left, in doubles. */
export class Room {
  readonly deadline: Deadline
  /** Set if something was left out for lack of room. */
  isCut = false
  #left: number

  constructor(deadline: Deadline, doubles: number) {
    this.deadline = deadline
    this.#left = doubles
  }

  /** Takes room for this many doubles. Returns false if there is too little. */
  take(doubles: number): boolean {
    const fits = doubles <= this.#left
    if (fits) this.#left -= doubles
    else this.isCut = true
    return fits
  }

  /** Runs `work`, and then returns the room that it took. */
  within<Made>(work: () => Made): Made {
    const left = this.#left
    const made = work()
    this.#left = left
    return made
  }
}
