import type { CallOptions, FollowedChange, FollowedState, Following, Storage } from '../storage/contract.ts'

/**
 * Changes on their way from the owner's log into the store: taken page by page, put in place together. It outlives a
 * connection, so that a long copy goes on where it broke off.
 */
export class Walk {
  readonly #storage: Storage
  #following: Following | undefined
  /** Nothing of before counts: the walk has begun at the beginning. */
  readonly fromBeginning: boolean
  /** Where to go on; undefined at the beginning. */
  next: string | undefined
  /** Changes taken so far. */
  changes = 0

  constructor(storage: Storage, next: string | undefined) {
    this.#storage = storage
    this.fromBeginning = next === undefined
    this.next = next
  }

  /** Takes the changes of one page, and where to go on after it. */
  async take(changes: readonly FollowedChange[], next: string, options: CallOptions): Promise<void> {
    if (changes.length > 0) await (await this.#open()).add(changes, options)
    this.next = next
    this.changes += changes.length
  }

  /** Puts all that was taken in place. */
  async commit(state: FollowedState): Promise<void> {
    const { fromBeginning } = this
    await (await this.#open()).commit({ ...state, fromBeginning })
  }

  /** Forgets what was taken. Never fails: what cannot be forgotten now, the store forgets by itself. */
  async abort(): Promise<void> {
    await Promise.resolve(this.#following?.abort()).catch(() => {})
  }

  async #open(): Promise<Following> {
    this.#following ??= await this.#storage.follow()
    return this.#following
  }
}
