/** All open event streams of a process: their feeds, one for each filter, and their heartbeat. */
import type { LateFailure, WorldRequest } from '../handler/http.ts'
import { ChangeFeed, type FeedFilter, type FeedSource } from './change-feed.ts'
import type { ChangesPage } from './change-log.ts'
import { EventStream, type StreamOwner } from './event-stream.ts'

/** Calls something in equal times, until what it answers with is called. */
export type Clock = (milliseconds: number, tick: () => void) => () => void

/** What a stream is opened for. */
export interface OpenedFor {
  readonly request: WorldRequest
  readonly filter: FeedFilter
  /** The first changes that were asked for. */
  readonly first: ChangesPage
  readonly failed: LateFailure
}

/** Proxies close connections on which nothing came for 30 s or 60 s. */
const HEARTBEAT_MS = 15_000

/** The clock of the machine, which keeps no process alive. */
export const machineClock: Clock = (milliseconds, tick) => {
  const timer = setInterval(tick, milliseconds).unref()
  return () => clearInterval(timer)
}

/** Owns the streams and the one timer that beats for all of them, as long as there are any. */
export class EventStreams implements StreamOwner {
  readonly #source: FeedSource
  readonly #clock: Clock
  readonly #feeds = new Map<string, ChangeFeed>()
  /** Each with the signal of its server. */
  readonly #streams = new Map<EventStream, AbortSignal | undefined>()
  readonly #servers = new WeakSet<AbortSignal>()
  #stop: (() => void) | undefined

  constructor(source: FeedSource, clock: Clock) {
    this.#source = source
    this.#clock = clock
  }

  /** A stream of events. It ends when its client leaves and when the server closes. */
  open({ request: { signal, closing }, filter, first, failed }: OpenedFor): EventStream {
    const key = keyOf(filter)
    const open = this.#feeds.get(key)
    const feed = open === undefined || open.isOver ? new ChangeFeed(this.#source, filter) : open
    this.#feeds.set(key, feed)
    const stream = new EventStream(feed, this, first, failed)
    this.#streams.set(stream, closing)
    this.#stop ??= this.#clock(HEARTBEAT_MS, () => this.#beat())
    if (closing) this.#awaitEnd(closing)
    if (closing?.aborted) stream.sayGoodbye()
    if (signal?.aborted) stream.destroy()
    signal?.addEventListener('abort', () => stream.destroy(), { once: true })
    return stream
  }

  #beat(): void {
    for (const feed of this.#feeds.values()) feed.beat()
    for (const stream of this.#streams.keys()) stream.beat()
  }

  /** One listener for each server, however many streams it has. */
  #awaitEnd(closing: AbortSignal): void {
    if (this.#servers.has(closing)) return
    this.#servers.add(closing)
    const end = () => {
      for (const [stream, server] of this.#streams) if (server === closing) stream.sayGoodbye()
    }
    closing.addEventListener('abort', end, { once: true })
  }

  /** Called by each stream at its end. */
  closed(stream: EventStream, feed: ChangeFeed): void {
    const key = keyOf(feed.filter)
    this.#streams.delete(stream)
    if (feed.size === 0 && this.#feeds.get(key) === feed) this.#feeds.delete(key)
    if (this.#streams.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}

function keyOf({ types, entities }: FeedFilter): string {
  return JSON.stringify([types, entities])
}
