/** All open event streams of a process: their feeds, one for each filter, and their heartbeat. */
import type { LateFailure, WorldRequest } from '../handler/http.ts'
import type { WorldOptions } from '../handler/options.ts'
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
  readonly #admit: WorldOptions['admit']
  readonly #feeds = new Map<string, ChangeFeed>()
  /** Each with the signal of its server. */
  readonly #streams = new Map<EventStream, AbortSignal | undefined>()
  readonly #servers = new WeakSet<AbortSignal>()
  #stop: (() => void) | undefined

  /** `admit`: asked again before anything goes out, with the target and the token that a stream was opened with. */
  constructor(source: FeedSource, clock: Clock, admit: WorldOptions['admit']) {
    this.#source = source
    this.#clock = clock
    this.#admit = admit
  }

  /** A stream of events. It ends when its client leaves and when the server closes. */
  open({ request, filter, first, failed }: OpenedFor): EventStream {
    const { signal, closing } = request
    const feed = this.#feedFor(request, filter)
    const stream = new EventStream(feed, this, first, failed)
    this.#streams.set(stream, closing)
    this.#stop ??= this.#clock(HEARTBEAT_MS, () => this.#beat())
    if (closing) this.#awaitEnd(closing)
    if (closing?.aborted) stream.sayGoodbye()
    if (signal?.aborted) stream.destroy()
    signal?.addEventListener('abort', () => stream.destroy(), { once: true })
    return stream
  }

  /** One feed for all that may read the same: each token of a private world has its own. */
  #feedFor({ method, target, headers: { authorization } }: WorldRequest, filter: FeedFilter): ChangeFeed {
    const admit = this.#admit
    const key = JSON.stringify([filter.types, filter.entities, admit && authorization])
    const open = this.#feeds.get(key)
    if (open !== undefined && !open.isOver) return open
    // A request of its own each time: what was learnt about an earlier one does not count.
    const checkRight = admit && (() => admit({ method, target, headers: { authorization } }))
    const feed = new ChangeFeed({ ...this.#source, ...(checkRight && { checkRight }) }, filter, key)
    this.#feeds.set(key, feed)
    return feed
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
    this.#streams.delete(stream)
    if (feed.size === 0 && this.#feeds.get(feed.key) === feed) this.#feeds.delete(feed.key)
    if (this.#streams.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}
