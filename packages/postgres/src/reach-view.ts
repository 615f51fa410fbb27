/** The position of a database, for a node that keeps nothing else of it. */

import type { Position } from '@worldwright/core/store'
import { hasReached, positionOf } from '@worldwright/core/store'
import { Coalesced } from './coalesced.ts'
import type { Database } from './database.ts'
import { type DatabaseState, mend, refuseOther, stateOf } from './database-state.ts'
import type { View } from './follower.ts'
import type { Session } from './session.ts'

/** The last state seen. Concurrent callers share one look. */
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
    // A reached position stays reached; only otherwise the database must be asked.
    if (this.#state && hasReached(this.#state.reach, position)) return true
    return hasReached((await this.current()).reach, position)
  }

  /** Returns the state with everything committed before the call. @throws StorageFault */
  async current(): Promise<DatabaseState> {
    await this.look()
    return this.#state as DatabaseState
  }

  /** Reads in one snapshot, with its state. First mends a database that does not continue its history. @throws StorageFault */
  async reading<T>(work: (session: Session, state: DatabaseState) => Promise<T>): Promise<T> {
    // Read before the snapshot is taken: a concurrent look may see a later state.
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

/** Returns the position of a state, the same on every node. */
export function positionIn({ reach: { epoch, number, pending } }: DatabaseState): Position {
  return positionOf(epoch, number, pending)
}
