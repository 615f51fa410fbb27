/** One open event stream: first what its client missed, then changes as they happen. */
import { Readable } from 'node:stream'
import type { LateFailure } from '@worldwright/core'
import type { LogState } from './change-json.ts'
import type { ChangesPage } from './change-log.ts'
import { eventText, HEARTBEAT, positionEvent } from './events.ts'
import type { Batch, SharedBatches, Subscription } from './shared-batches.ts'
import type { Turns } from './turns.ts'

/** The parts of a stream. Many streams are open at a time, so each keeps as little as it can. */
export interface StreamOptions {
  readonly batches: SharedBatches
  readonly subscription: Subscription
  readonly turns: Turns
  readonly failed: LateFailure
  /** Called when the stream has ended. */
  readonly closed: (stream: EventStream) => void
}

/** Heartbeats without the client reading anything, after which it is disconnected. */
const MAX_UNREAD_BEATS = 4

/** The events of one client, read from the log batch by batch, no faster than the client reads them. */
export class EventStream extends Readable {
  readonly #options: StreamOptions
  #state: LogState
  /** Number of changes in the last batch. */
  #count: number
  /** The round in which the last batch was read. */
  #round = -1
  /** The last position sent to the client; empty: none yet. */
  #told: string
  #isReading = false
  /** True if the client can take more. */
  #wants = true
  #unreadBeats = 0
  /** True once nothing more will be pushed; the client may still have buffered data to read. */
  #isOver = false

  /** `first`: the first piece of the changes that the client requested. */
  constructor(options: StreamOptions, first: ChangesPage) {
    // Buffers one batch at most; the connection has buffers of its own.
    super({ highWaterMark: 1 })
    const { batches, subscription } = options
    this.#options = options
    const { changes, ...state } = first
    this.#state = state
    this.#count = changes.length
    this.#told = state.more ? '' : state.position
    this.#send(batches.eventsOf(subscription, first, true))
  }

  /** The filter of the stream and the right of its client. */
  get subscription(): Subscription {
    return this.#options.subscription
  }

  /** Reads on, if there may be more and the client can take it. */
  wake(): void {
    const isBehind = this.#state.more || this.#round < this.#options.batches.round
    if (isBehind && this.#wants && !this.#isReading && !this.#isOver) void this.#readOn()
  }

  /**
   * Ends the stream after an error: with an event if the client has to start over from the beginning, or if it may no
   * longer read, which its next request reports.
   */
  fail(error: unknown): void {
    if (this.#isOver) return
    const body = this.#options.failed(error)
    if (body.code === 'changes_expired') this.#end(eventText('expired', JSON.stringify(body)))
    else if (body.code === 'unauthenticated' || body.code === 'forbidden') this.sayGoodbye()
    else this.destroy()
  }

  /** Ends the stream in order: the client's next request picks up where it stopped. */
  sayGoodbye(): void {
    this.#end(eventText('goodbye', '{}'))
  }

  /**
   * Called at a fixed interval. Keeps the connection open, reports a position that moved without an event, and disconnects a
   * client that reads nothing of what is buffered for it.
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
