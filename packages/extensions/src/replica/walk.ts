import type { CallOptions, FollowedChange, FollowedState, Following, Store } from '@worldwright/core/store'
import { beginToFollow } from '@worldwright/core/store'

/**
 * Changes on their way from the upstream's log into the store: taken page by page, applied together. It outlives a
 * connection, so that a long replication continues where it broke off.
 */
export class Walk {
  readonly #storage: Store
  #following: Following | undefined
  /** The walk began at the beginning, so it replaces all earlier data. */
  readonly fromBeginning: boolean
  /** The token to continue with; undefined at the beginning. */
  next: string | undefined
  /** Changes taken so far. */
  changes = 0

  constructor(storage: Store, next: string | undefined) {
    this.#storage = storage
    this.fromBeginning = next === undefined
    this.next = next
  }

  /** Takes the changes of one page, and the token after it. */
  async take(changes: readonly FollowedChange[], next: string, options: CallOptions): Promise<void> {
    if (changes.length > 0) await (await this.#open()).add(changes, options)
    this.next = next
    this.changes += changes.length
  }

  /** Applies all taken changes in one commit. */
  async commit(state: FollowedState): Promise<void> {
    const { fromBeginning } = this
    await (await this.#open()).commit({ ...state, fromBeginning })
  }

  /** Discards the taken changes. Never fails: the store discards by itself what cannot be discarded now. */
  async abort(): Promise<void> {
    await Promise.resolve(this.#following?.abort()).catch(() => {})
  }

  async #open(): Promise<Following> {
    this.#following ??= await beginToFollow(this.#storage)
    return this.#following
  }
}
