/** One open event stream: first what its client missed, then what its feed reads. */
import { Readable } from 'node:stream'
import type { LateFailure } from '../handler/http.ts'
import type { ChangeFeed, FeedReader } from './change-feed.ts'
import type { ChangesPage } from './change-log.ts'
import { eventText, positionEvent } from './events.ts'

/** Who opened a stream. Many streams are open at a time: each keeps as little as it can. */
export interface StreamOwner {
  /** The stream is over, and leaves its feed. */
  closed(stream: EventStream, feed: ChangeFeed): void
}

/** Beats of the heart during which a client takes nothing of what waits for it, before it is cut off. */
const MAX_UNREAD_BEATS = 4

/**
 * The events of one client. It reads pages of the log by itself until it is where its feed is, and takes the batches
 * of the feed from then on; where it is too slow for these, it reads by itself again. Nothing is lost or comes twice.
 */
export class EventStream extends Readable implements FeedReader {
  readonly #feed: ChangeFeed
  readonly #owner: StreamOwner
  readonly #failed: LateFailure
  #token: string
  /** The batch of the feed that comes next; undefined while the stream reads by itself. */
  #number: number | undefined
  /** The client takes more. */
  #wants = false
  #unreadBeats = 0
  /** Nothing comes any more, but what the client has not taken yet. */
  #isOver = false
  /** Aborts what is being read for this stream alone. */
  #reading: AbortController | undefined

  /** `first`: the changes that its client asked for, as far as one page goes. */
  constructor(feed: ChangeFeed, owner: StreamOwner, first: ChangesPage, failed: LateFailure) {
    super()
    this.#feed = feed
    this.#owner = owner
    this.#failed = failed
    this.#token = first.next
    feed.join(this)
    this.#reads(async () => first, true)
  }

  /** Called by the feed: there is another batch. */
  wake(): void {
    this.#goOn()
  }

  /**
   * Ends the stream for an error: with an event where the client has to begin from the beginning, or may not read any
   * more, which its next request says.
   */
  fail(error: unknown): void {
    if (this.#isOver) return
    const body = this.#failed(error)
    if (body.code === 'changes_expired') this.#end(eventText('expired', JSON.stringify(body)))
    else if (body.code === 'unauthenticated' || body.code === 'forbidden') this.sayGoodbye()
    else this.destroy()
  }

  /** Ends the stream in order: what comes next, another request is answered. */
  sayGoodbye(): void {
    this.#end(eventText('goodbye', '{}'))
  }

  /** Called in equal times: cuts a client off that takes nothing of what waits for it. */
  beat(): void {
    if (!this.#wants && ++this.#unreadBeats >= MAX_UNREAD_BEATS) this.destroy()
  }

  override _read(): void {
    this.#wants = true
    this.#unreadBeats = 0
    this.#goOn()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#isOver = true
    this.#reading?.abort()
    this.#feed.leave(this)
    this.#owner.closed(this, this.#feed)
    callback(error)
  }

  #goOn(): void {
    while (this.#wants && !this.#reading && !this.#isOver) {
      const batch = this.#number === undefined ? null : this.#feed.batch(this.#number)
      if (batch === undefined) return
      if (batch === null || this.#number === undefined) {
        this.#reads((signal) => this.#feed.read(this.#token, signal), false)
        return
      }
      this.#number += 1
      this.#token = batch.next
      this.#send(batch.text)
    }
  }

  /** Takes a page, and goes on with the feed where the feed is at the end of it. */
  async #reads(read: (signal: AbortSignal) => Promise<ChangesPage>, isFirst: boolean): Promise<void> {
    this.#reading = new AbortController()
    try {
      const page = await read(this.#reading.signal)
      this.#token = page.next
      this.#number = page.more ? undefined : await this.#meet(page)
      const isNews = isFirst || page.changes.length > 0
      if (isNews) this.#send(this.#feed.eventsOf(page) + (page.more ? '' : positionEvent(page)))
    } catch (error) {
      this.fail(error)
      return
    } finally {
      this.#reading = undefined
    }
    this.#goOn()
  }

  /** The batch of the feed that comes after a page; undefined if the feed was never just there. */
  async #meet({ position }: ChangesPage): Promise<number | undefined> {
    const met = this.#feed.numberAfter(position)
    if (met !== undefined) return met
    await this.#feed.refresh()
    return this.#feed.numberAfter(position)
  }

  #send(text: string): void {
    if (text !== '' && !this.#isOver) this.#wants = this.push(text)
  }

  #end(text: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#feed.leave(this)
    this.push(text)
    this.push(null)
  }
}
