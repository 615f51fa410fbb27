/** Tracks the position of a database for a node without a local replica. */

import { hasReached, type Position, positionOf } from '@worldwright/core/store'
import { Coalesced } from './coalesced.ts'
import type { Database } from './database.ts'
import { type DatabaseState, mend, refuseOther, stateOf } from './database-state.ts'
import type { View } from './follower.ts'
import type { Session } from './session.ts'

/** View that keeps only the last state seen. Concurrent callers share one query. */
export class ReachView implements View {
  readonly #database: Database
  readonly #looking: Coalesced
  #state: DatabaseState | undefined
  #currentAt = 0

  constructor(database: Database) {
    this.#database = database
    this.#looking = new Coalesced(() => this.#look())
  }

  get currentAt(): number {
    return this.#currentAt
  }

  look(): Promise<void> {
    return this.#looking.run()
  }

  async hasReached(position: Position): Promise<boolean | undefined> {
    // A position once reached stays reached, so there is no need to query the database.
    if (this.#state && hasReached(this.#state.reach, position)) return true
    return hasReached((await this.current()).reach, position)
  }

  /** Returns a state that includes everything committed before the call. @throws StoreFault */
  async current(): Promise<DatabaseState> {
    await this.look()
    return this.#state as DatabaseState
  }

  /** Runs `work` on the state in one snapshot. Mends the database first if it has lost its history. @throws StoreFault */
  async reading<T>(work: (session: Session, state: DatabaseState) => Promise<T>): Promise<T> {
    // Read before the snapshot is taken, because a concurrent `look` may replace it with a later state.
    const known = this.#state?.reach
    for (;;) {
      try {
        return await this.#database.reading(async (session) => {
          const state = await stateOf(session)
          refuseOther(state, known?.epoch === state.reach.epoch ? known : undefined)
          return work(session, state)
        })
      } catch (error) {
        await mend(this.#database, error)
      }
    }
  }

  async #look(): Promise<void> {
    const at = Date.now()
    this.#state = await this.reading(async (_, state) => state)
    this.#currentAt = at
  }
}

/** Returns the position of a state. Every node computes the same position. */
export function positionIn({ reach: { epoch, number, pending } }: DatabaseState): Position {
  return positionOf(epoch, number, pending)
}
