/** Event stream of one client. Sends the changes that the client has missed, then new ones as they happen. */
import { Readable } from 'node:stream'
import type { LateFailure } from '@worldwright/core'
import type { LogState } from './change-json.ts'
import type { ChangesPage } from './change-log.ts'
import { eventText, HEARTBEAT, positionEvent } from './events.ts'
import type { Batch, SharedBatches, Subscription } from './shared-batches.ts'
import type { Turns } from './turns.ts'

/** Dependencies of a stream. Many streams may be open at once, so each stores as little as possible. */
export interface StreamOptions {
  readonly batches: SharedBatches
  readonly subscription: Subscription
  readonly turns: Turns
  readonly failed: LateFailure
  /** Called after the stream has ended. */
  readonly closed: (stream: EventStream) => void
}

/** Number of heartbeats after which a client that reads nothing is disconnected. */
const MAX_UNREAD_BEATS = 4

/** Reads events from the log in batches, no faster than the client reads them. */
export class EventStream extends Readable {
  readonly #options: StreamOptions
  #state: LogState
  /** Number of changes in the last batch. */
  #count: number
  /** Round in which the last batch was read. */
  #round = -1
  /** Last position sent to the client; empty if none has been sent. */
  #told: string
  #isReading = false
  /** True while the client can receive more. */
  #wants = true
  #unreadBeats = 0
  /** Set when nothing more will be pushed. The client may still have buffered data to read. */
  #isOver = false

  /** Starts with the first page of changes, which has already been read. */
  constructor(options: StreamOptions, first: ChangesPage) {
    // Buffers at most one batch, because the connection has its own buffers.
    super({ highWaterMark: 1 })
    const { batches, subscription } = options
    this.#options = options
    const { changes, ...state } = first
    this.#state = state
    this.#count = changes.length
    this.#told = state.more ? '' : state.position
    this.#send(batches.eventsOf(subscription, first, true))
  }

  /** Filter and access check of the stream. */
  get subscription(): Subscription {
    return this.#options.subscription
  }

  /** Reports whether the stream may send changes of any of these types. */
  concerns(types: ReadonlySet<string>): boolean {
    return this.subscription.types?.some((type) => types.has(type)) ?? true
  }

  /** Resumes reading if there may be more changes and the client can receive them. */
  wake(): void {
    if (this.#canReadOn()) void this.#readOn()
  }

  #canReadOn(): boolean {
    const isBehind = this.#state.more || this.#round < this.#options.batches.round
    return isBehind && this.#wants && !this.#isReading && !this.#isOver
  }

  /**
   * Ends the stream after an error. First sends `expired` if the client must start over, or `goodbye` if it may no longer
   * read, so that its next request gets the error.
   */
  fail(error: unknown): void {
    if (this.#isOver) return
    const body = this.#options.failed(error)
    if (body.code === 'changes_expired') this.#end(eventText('expired', JSON.stringify(body)))
    else if (body.code === 'unauthenticated' || body.code === 'forbidden') this.sayGoodbye()
    else this.destroy()
  }

  /** Ends the stream with a `goodbye` event. The client's next request resumes at the same point. */
  sayGoodbye(): void {
    this.#end(eventText('goodbye', '{}'))
  }

  /**
   * Called at a fixed interval. Keeps the connection open, reports the position if it advanced without an event, and
   * disconnects a client that does not read its buffered data.
   */
  async beat(): Promise<void> {
    if (!this.#wants) {
      if (++this.#unreadBeats >= MAX_UNREAD_BEATS) this.destroy()
      return
    }
    // Changes of other types may have advanced the position.
    if (this.#canReadOn()) await this.#readOn()
    const { more, position } = this.#state
    const isSilent = !more && position !== this.#told
    this.#told = position
    this.#send(isSilent ? positionEvent(this.#state) : HEARTBEAT)
  }

  override _read(): void {
    this.#wants = true
    this.#unreadBeats = 0
    this.wake()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#isOver = true
    this.#options.closed(this)
    callback(error)
  }

  async #readOn(): Promise<void> {
    const { batches, subscription, turns } = this.#options
    this.#isReading = true
    try {
      await turns.run(async () => {
        if (!this.#isOver) this.#take(await batches.after(subscription, this.#state, this.#count))
      })
    } catch (error) {
      this.fail(error)
      return
    } finally {
      this.#isReading = false
    }
    this.wake()
  }

  #take({ text, count, state, round }: Batch): void {
    this.#state = state
    this.#count = count
    this.#round = round
    if (text !== '' && !state.more) this.#told = state.position
    this.#send(text)
  }

  #send(text: string): void {
    if (text !== '' && !this.#isOver) this.#wants = this.push(text)
  }

  #end(text: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.push(text)
    this.push(null)
  }
}
