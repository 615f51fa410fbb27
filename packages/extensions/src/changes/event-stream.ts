/** One open event stream: what its client missed, then what happens. */
import { Readable } from 'node:stream'
import type { LateFailure } from '@worldwright/core'
import type { LogState } from './change-json.ts'
import type { ChangesPage } from './change-log.ts'
import { eventText, HEARTBEAT, positionEvent } from './events.ts'
import type { Batch, SharedBatches, Subscription } from './shared-batches.ts'
import type { Turns } from './turns.ts'

/** What a stream is made of. Many streams are open at a time: each keeps as little as it can. */
export interface StreamOptions {
  readonly batches: SharedBatches
  readonly subscription: Subscription
  readonly turns: Turns
  readonly failed: LateFailure
  /** Called when the stream is over. */
  readonly closed: (stream: EventStream) => void
}

/** Heartbeats during which a client takes nothing of what waits for it, before it is cut off. */
const MAX_UNREAD_BEATS = 4

/** The events of one client, read from the log batch by batch, no faster than it takes them. */
export class EventStream extends Readable {
  readonly #options: StreamOptions
  #state: LogState
  /** Changes in the last batch. */
  #count: number
  /** The round that the last batch was read in. */
  #round = -1
  /** The position that the client was told of last; empty: of none. */
  #told: string
  #isReading = false
  /** The client takes more. */
  #wants = true
  #unreadBeats = 0
  /** Nothing comes any more, but what the client has not taken yet. */
  #isOver = false

  /** `first`: the changes that its client asked for, as far as one piece goes. */
  constructor(options: StreamOptions, first: ChangesPage) {
    // Holds back one batch at most; the connection holds others.
    super({ highWaterMark: 1 })
    const { batches, subscription } = options
    this.#options = options
    const { changes, ...state } = first
    this.#state = state
    this.#count = changes.length
    this.#told = state.more ? '' : state.position
    this.#send(batches.eventsOf(subscription, first, true))
  }

  /** Who it is for, and what of. */
  get subscription(): Subscription {
    return this.#options.subscription
  }

  /** Reads on, if there may be more and the client takes it. */
  wake(): void {
    const isBehind = this.#state.more || this.#round < this.#options.batches.round
    if (isBehind && this.#wants && !this.#isReading && !this.#isOver) void this.#readOn()
  }

  /**
   * Ends the stream for an error: with an event where the client has to begin from the beginning, or may not read any
   * more, which its next request says.
   */
  fail(error: unknown): void {
    if (this.#isOver) return
    const body = this.#options.failed(error)
    if (body.code === 'changes_expired') this.#end(eventText('expired', JSON.stringify(body)))
    else if (body.code === 'unauthenticated' || body.code === 'forbidden') this.sayGoodbye()
    else this.destroy()
  }

  /** Ends the stream in order: what comes next, another request is answered. */
  sayGoodbye(): void {
    this.#end(eventText('goodbye', '{}'))
  }

  /**
   * Called in equal times: keeps the connection open, says if the world moved without an event, and cuts a client off that
   * takes nothing of what waits for it.
   */
  beat(): void {
    if (!this.#wants) {
      if (++this.#unreadBeats >= MAX_UNREAD_BEATS) this.destroy()
      return
    }
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
