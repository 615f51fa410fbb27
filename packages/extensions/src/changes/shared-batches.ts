/** Reads a world's new changes once for all streams at the same offset. */

import type { MaybePromise } from '@worldwright/core/store'
import type { ChangeForm, LogState } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'
import { changeEvents, positionEvent } from './events.ts'
import { readPiece } from './turns.ts'

/** Filter and access check of a stream. */
export interface Subscription extends ChangeForm {
  readonly types: ChangesRequest['types']
  /** Streams with equal read keys may share reads, because they have the same types and access. */
  readonly readKey: string
  /** Streams with equal keys may also share batches, because they have the same condition. */
  readonly key: string
  /** Throws a WorldFault if the client may no longer read the world. Absent if everyone may read it. */
  readonly checkRight?: (() => MaybePromise<void>) | undefined
}

/** Part of a stream that is read and sent as a unit. */
export interface Batch {
  /** Text of the events; empty if no change matches the filter. */
  readonly text: string
  /** Number of changes in the batch. */
  readonly count: number
  /** State of the log after the batch. */
  readonly state: LogState
  /** Round in which the batch was read. There may be more changes in a later round. */
  readonly round: number
}

/** Maximum total length of batches kept for slower streams, in characters. Streams further behind read the log. */
const MAX_KEPT = 1_048_576
/** Maximum number of batches kept, regardless of size. */
const MAX_BATCHES = 256
/** Maximum number of pages kept within a round. A page has 64 kB of entities, or one larger entity. */
const MAX_PAGES = 8

/** Reads the log for many streams, one read at a time. A round begins whenever the store may have changed. */
export class SharedBatches {
  readonly #log: ChangeLog
  /** Batches read in this round that contain no events. */
  readonly #empty = new Map<string, Batch>()
  /** Batches with events, from this round and earlier ones, oldest first. */
  readonly #kept = new Map<string, Batch>()
  /** Pages read in this round, oldest first, from which the batches of any condition are made. */
  readonly #pages = new Map<string, ChangesPage>()
  #characters = 0
  #round = 0

  constructor(log: ChangeLog) {
    this.#log = log
  }

  /** Number of the current round. */
  get round(): number {
    return this.#round
  }

  /** Begins a round. Its reads include everything written before it began. */
  begin(): void {
    this.#round += 1
    this.#empty.clear()
    this.#pages.clear()
  }

  /**
   * Returns the batch after the given state of the log. Streams at the end of the log share a batch if their types have
   * not changed between their positions. `before` is the number of changes in the previous batch. Must not be called
   * concurrently.
   */
  async after(
    subscription: Subscription,
    { next, more, position, versions }: LogState,
    before: number,
  ): Promise<Batch> {
    const from = more ? next : versions ? JSON.stringify([...versions]) : position
    const name = `${from} ${subscription.key}`
    const known = this.#kept.get(name) ?? this.#empty.get(name)
    if (known) return known
    const round = this.#round
    const page = await this.#page(`${from} ${subscription.readKey}`, subscription, next, before)
    const { changes, ...state } = page
    const text = this.eventsOf(subscription, page, false)
    const batch = { text, count: changes.length, state, round }
    if (batch.text !== '') this.#keep(name, batch)
    else if (batch.round === this.#round) this.#empty.set(name, batch)
    return batch
  }

  /** Returns the events of a page. The last page ends with a position event if it has changes or `isFirst` is true. */
  eventsOf(subscription: Subscription, page: ChangesPage, isFirst: boolean): string {
    const events = changeEvents(this.#log, subscription.types, page, subscription)
    return (events !== '' || isFirst) && !page.more ? events + positionEvent(page) : events
  }

  /** Reads a page. Checks access last, so that nothing is sent after access has been revoked. */
  async #page(name: string, subscription: Subscription, since: string, before: number): Promise<ChangesPage> {
    const known = this.#pages.get(name)
    if (known) return known
    const { types, entities, where, checkRight } = subscription
    const round = this.#round
    const page = await readPiece(this.#log, { types, entities, where, since, before })
    await checkRight?.()
    if (round !== this.#round) return page
    this.#pages.set(name, page)
    for (const oldest of this.#pages.keys()) if (this.#pages.size > MAX_PAGES) this.#pages.delete(oldest)
    return page
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
