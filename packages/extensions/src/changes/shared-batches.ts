/** New changes of a world, read once for all streams that stand at the same offset. */

import type { MaybePromise } from '@worldwright/core/store'
import type { LogState } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'
import { changeEvents, positionEvent } from './events.ts'
import { readPiece } from './turns.ts'

/** Which changes are read, in which form, and for whom. */
export interface Subscription {
  readonly types: ChangesRequest['types']
  readonly entities: boolean
  /** Streams of equal keys may share what is read: they have the same filter and the same right. */
  readonly key: string
  /** Throws a WorldFault for a client that may no longer read the world. Absent: everybody may. */
  readonly checkRight?: (() => MaybePromise<void>) | undefined
}

/** What a stream sends next. */
export interface Batch {
  /** Events; empty if nothing happened that its streams should hear of. */
  readonly text: string
  /** Changes in it. */
  readonly count: number
  /** The state of the log after it. */
  readonly state: LogState
  /** The round in which it was read: there may be more since the next one. */
  readonly round: number
}

/** Characters of batches that are kept for slower streams; even slower ones read the log themselves. */
const MAX_KEPT = 1_048_576
/** Batches that are kept at most, however small. */
const MAX_BATCHES = 256

/** Reads the log for many streams, which ask in turns. A round begins whenever the store may have moved. */
export class SharedBatches {
  readonly #log: ChangeLog
  /** Of this round: those that brought no changes. */
  readonly #empty = new Map<string, Batch>()
  /** Of earlier rounds and this one, oldest first: those that brought changes. */
  readonly #kept = new Map<string, Batch>()
  #characters = 0
  #round = 0

  constructor(log: ChangeLog) {
    this.#log = log
  }

  /** The number of the round. */
  get round(): number {
    return this.#round
  }

  /** Begins a round: what is read from now on has all that was written before. */
  begin(): void {
    this.#round += 1
    this.#empty.clear()
  }

  /**
   * The batch after a state: the same for all who stand at the end of the log, whatever their tokens are. `before`: the
   * changes in the batch before. One call at a time.
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

  /** The events of a page. `isFirst`: they end with the position, even without changes. */
  eventsOf({ types, entities }: Subscription, page: ChangesPage, isFirst: boolean): string {
    const events = changeEvents(this.#log, types, page, entities)
    return (events !== '' || isFirst) && !page.more ? events + positionEvent(page) : events
  }

  /** The right to read is checked last, so that nothing goes out too late. */
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
