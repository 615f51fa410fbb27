import type { CallOptions, FollowedChange, FollowedState, Following, Store } from '@worldwright/core/store'
import { beginToFollow } from '@worldwright/core/store'

/**
 * Collects changes from an upstream's log page by page, and applies them together. A walk outlives connections, so that a
 * long replication resumes where it was interrupted.
 */
export class Walk {
  readonly #store: Store
  #following: Following | undefined
  /** True if the walk started at the beginning, and therefore replaces all earlier data. */
  readonly fromBeginning: boolean
  /** Token to resume with; undefined at the beginning. */
  next: string | undefined
  /** Number of changes collected so far. */
  changes = 0

  constructor(store: Store, next: string | undefined) {
    this.#store = store
    this.fromBeginning = next === undefined
    this.next = next
  }

  /** Adds the changes of a page, and remembers the token after them. */
  async take(changes: readonly FollowedChange[], next: string, options: CallOptions): Promise<void> {
    if (changes.length > 0) await (await this.#open()).add(changes, options)
    this.next = next
    this.changes += changes.length
  }

  /** Applies all collected changes in one commit. */
  async commit(state: FollowedState): Promise<void> {
    const { fromBeginning } = this
    await (await this.#open()).commit({ ...state, fromBeginning })
  }

  /** Discards the collected changes. Ignores errors, because the store will discard leftovers itself. */
  async abort(): Promise<void> {
    await Promise.resolve(this.#following?.abort()).catch(() => {})
  }

  async #open(): Promise<Following> {
    this.#following ??= await beginToFollow(this.#store)
    return this.#following
  }
}
