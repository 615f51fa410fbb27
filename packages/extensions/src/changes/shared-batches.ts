/** New changes of a world, read once for all streams at the same offset. */

import type { MaybePromise } from '@worldwright/core/store'
import type { LogState } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'
import { changeEvents, positionEvent } from './events.ts'
import { readPiece } from './turns.ts'

/** The filter of a stream, and the right of its client. */
export interface Subscription {
  readonly types: ChangesRequest['types']
  readonly entities: boolean
  /** Streams with equal keys may share reads: they have the same filter and the same right. */
  readonly key: string
  /** Throws a WorldFault if the client may no longer read the world. Absent: everybody may. */
  readonly checkRight?: (() => MaybePromise<void>) | undefined
}

/** The next piece that a stream sends. */
export interface Batch {
  /** Events; empty if nothing happened that the filter lets through. */
  readonly text: string
  /** Number of changes in the batch. */
  readonly count: number
  /** The state of the log after the batch. */
  readonly state: LogState
  /** The round in which the batch was read. A later round may have more. */
  readonly round: number
}

/** Maximum characters of batches kept for slower streams. Streams that are further behind read the log themselves. */
const MAX_KEPT = 1_048_576
/** Maximum number of kept batches, however small. */
const MAX_BATCHES = 256

/** Reads the log for many streams, which take turns. A round begins whenever the store may have moved. */
export class SharedBatches {
  readonly #log: ChangeLog
  /** Batches of this round without changes. */
  readonly #empty = new Map<string, Batch>()
  /** Batches of earlier rounds and this one with changes, oldest first. */
  readonly #kept = new Map<string, Batch>()
  #characters = 0
  #round = 0

  constructor(log: ChangeLog) {
    this.#log = log
  }

  /** The number of the current round. */
  get round(): number {
    return this.#round
  }

  /** Begins a round: reads from now on see everything written before. */
  begin(): void {
    this.#round += 1
    this.#empty.clear()
  }

  /**
   * Returns the batch after a state. It is shared by all streams at the end of the log, whatever their tokens. `before`:
   * number of changes in the batch before. One call at a time.
   */
  async after(
    subscription: Subscription,
    { next, more, position }: LogState,
    before: number,
  ): Promise<Batch> {
    const name = `${more ? next : position} ${subscription.key}`
    const known = this.#kept.get(name) ?? this.#empty.get(name)
    if (known) return known
    const batch = await this.#read(subscription, next, before)
    if (batch.text !== '') this.#keep(name, batch)
    else if (batch.round === this.#round) this.#empty.set(name, batch)
    return batch
  }

  /** Returns the events of a page. `isFirst`: they end with the position, even without changes. */
  eventsOf({ types, entities }: Subscription, page: ChangesPage, isFirst: boolean): string {
    const events = changeEvents(this.#log, types, page, entities)
    return (events !== '' || isFirst) && !page.more ? events + positionEvent(page) : events
  }

  /** Checks the right to read last, so that nothing is sent after it is withdrawn. */
  async #read(subscription: Subscription, since: string, before: number): Promise<Batch> {
    const { types, entities } = subscription
    const round = this.#round
    const page = await readPiece(this.#log, { types, entities, since, before })
    await subscription.checkRight?.()
    const text = this.eventsOf(subscription, page, false)
    const { changes, ...state } = page
    return { text, count: changes.length, state, round }
  }

  #keep(name: string, batch: Batch): void {
    this.#forget(name)
    this.#kept.set(name, batch)
    this.#characters += batch.text.length
    for (const oldest of this.#kept.keys()) {
      const isTooMuch = this.#characters > MAX_KEPT || this.#kept.size > MAX_BATCHES
      if (!isTooMuch || oldest === name) return
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    this.#characters -= this.#kept.get(name)?.text.length ?? 0
    this.#kept.delete(name)
  }
}
