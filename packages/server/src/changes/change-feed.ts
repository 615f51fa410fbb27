/** New changes of a world, read once for all streams of the same filter. */

import { storeMoves } from '../handler/store-moves.ts'
import type { MaybePromise, Position, Storage } from '../storage/contract.ts'
import { CHANGES_MAX } from '../world/limits.ts'
import type { LogState } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'
import { changeEvents, HEARTBEAT, positionEvent } from './events.ts'

/** Which changes a feed reads, and in which form. */
export interface FeedFilter {
  readonly types: ChangesRequest['types']
  readonly entities: boolean
}

/** What a feed hands on. */
export interface Batch {
  /** Events; empty if nothing happened that its streams should hear of. */
  readonly text: string
  /** Where to go on after it. */
  readonly next: string
  /** Where all changes up to a position came with it. */
  readonly position?: Position | undefined
}

/** Throws a WorldFault for a client that may no longer read the world. */
export type RightCheck = () => MaybePromise<void>

/** Who takes what a feed reads. */
export interface FeedReader {
  /** There is another batch. */
  wake(): void
  /** The feed cannot go on. */
  fail(error: unknown): void
}

/** Characters of batches that are kept for slower readers; even slower ones read the log themselves. */
const MAX_KEPT = 1_048_576
/** Batches that are kept at most, however small. */
const MAX_BATCHES = 256

/** What a feed stands on. */
export interface FeedSource {
  readonly log: ChangeLog
  readonly storage: Pick<Storage, 'watch'>
  /** Absent: everybody may read. */
  readonly checkRight?: RightCheck
}

/**
 * Owns the reading of new changes for its readers, from when the first one joins until the last one leaves. Batches are
 * numbered; each reader takes them at its own pace.
 */
export class ChangeFeed {
  readonly filter: FeedFilter
  /** What its owner finds it by. */
  readonly key: string
  readonly #source: FeedSource
  readonly #readers = new Set<FeedReader>()
  readonly #ended = new AbortController()
  #batches: Batch[] = []
  /** The number of the first batch that is kept. */
  #first = 0
  #kept = 0
  #reading: Promise<void> | undefined
  /** What was read last; undefined before the first reading. */
  #last: LogState | undefined
  /** The position moved without an event. */
  #isSilent = false

  constructor(source: FeedSource, filter: FeedFilter, key: string) {
    this.#source = source
    this.filter = filter
    this.key = key
  }

  /** How many take part. */
  get size(): number {
    return this.#readers.size
  }

  /** Nobody takes part any more, or reading failed: it cannot be joined. */
  get isOver(): boolean {
    return this.#ended.signal.aborted
  }

  /** Lets a reader hear of batches. The first one starts the feed. */
  join(reader: FeedReader): void {
    this.#readers.add(reader)
    if (this.#readers.size === 1 && this.#last === undefined) this.#follow()
  }

  /** The last one to leave ends the feed. */
  leave(reader: FeedReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#ended.abort()
  }

  /** The batch of a number; undefined: there is none yet; null: it is not kept any more. */
  batch(number: number): Batch | undefined | null {
    return number < this.#first ? null : this.#batches[number - this.#first]
  }

  /** The number of the first batch after a position; undefined if the feed was not just there. */
  numberAfter(position: Position): number | undefined {
    const index = this.#batches.findLastIndex((batch) => batch.position === position)
    return index < 0 ? undefined : this.#first + index + 1
  }

  /** Reads a page for one reader alone. Whether it may be read is checked last, so that nothing goes out too late. */
  async read(since: string, signal: AbortSignal): Promise<ChangesPage> {
    const page = await this.#source.log.read({ types: this.filter.types, since, limit: CHANGES_MAX, signal })
    await this.#source.checkRight?.()
    return page
  }

  /** The changes of a page as events. */
  eventsOf(page: ChangesPage): string {
    const { types, entities } = this.filter
    return changeEvents(this.#source.log, types, page, entities)
  }

  /** Reads what is new. Those who call it meanwhile wait for the same reading. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /**
   * Keeps connections open, and lets them know how far the world has come where that went without an event. Ends them
   * where the world may not be read any more.
   */
  async beat(): Promise<void> {
    try {
      await this.#source.checkRight?.()
    } catch (error) {
      this.#fail(error)
    }
    if (this.#last === undefined || this.isOver) return
    const text = this.#isSilent ? positionEvent(this.#last) : HEARTBEAT
    this.#isSilent = false
    this.#add({ text, next: this.#last.next, position: this.#last.position })
  }

  async #follow(): Promise<void> {
    try {
      for await (const _ of storeMoves(this.#source.storage, this.#ended.signal)) await this.refresh()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#ended.abort()
    for (const reader of this.#readers) reader.fail(error)
  }

  async #read(): Promise<void> {
    for (let isFirst = this.#last === undefined; ; isFirst = false) {
      const since = this.#last?.next ?? 'now'
      const page = await this.read(since, this.#ended.signal)
      const before = this.#last?.position
      const { changes, ...state } = page
      const { next, more, position } = state
      this.#last = state
      const events = this.eventsOf(page)
      const hasEvents = changes.length > 0
      const said = hasEvents && !more ? positionEvent(page) : ''
      if (hasEvents || position !== before) {
        this.#isSilent = !hasEvents && !isFirst
        this.#add({ text: events + said, next, position: more ? undefined : position })
      }
      if (!more) return
    }
  }

  #add(batch: Batch): void {
    this.#batches.push(batch)
    this.#kept += batch.text.length
    let surplus = 0
    while (surplus < this.#batches.length - 1 && this.#isTooMuch(surplus))
      this.#kept -= this.#batches[surplus++]?.text.length ?? 0
    this.#batches.splice(0, surplus)
    this.#first += surplus
    for (const reader of this.#readers) reader.wake()
  }

  #isTooMuch(surplus: number): boolean {
    return this.#kept > MAX_KEPT || this.#batches.length - surplus > MAX_BATCHES
  }
}
