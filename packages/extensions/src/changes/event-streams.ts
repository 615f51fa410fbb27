/** All open event streams of a process, with one watch of the store, one heartbeat and shared reads. */
import type { LateFailure, Mount, WorldRequest } from '@worldwright/core'
import { unavailable } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { storeMoves } from '@worldwright/core/store'
import type { ChangeLog } from './change-log.ts'
import { EventStream } from './event-stream.ts'
import { SharedBatches, type Subscription } from './shared-batches.ts'
import { readPiece, type Turns } from './turns.ts'

/** Calls `tick` at a fixed interval, until the returned function is called. */
export type Clock = (milliseconds: number, tick: () => void) => () => void

/** The request and the filter that a stream is opened for. */
export interface OpenedFor {
  readonly request: WorldRequest
  readonly filter: Pick<Subscription, 'types' | 'entities'>
  /** As in `ChangesRequest`. */
  readonly since: string | undefined
  readonly failed: LateFailure
}

/** Limits on open event streams, in total and per client. */
export interface StreamLimits {
  /** Maximum open streams of this process. Default 2,000: each takes about 100 kB if its client reads nothing. */
  readonly maxStreams?: number
  /** Counts a stream of a client, and returns the function that releases it; undefined if the client has reached its limit. */
  readonly enterStream?: (request: WorldRequest) => (() => void) | undefined
}

const MAX_STREAMS = 2_000
/** `Retry-After` of a refused client, in seconds. Streams stay open for long. */
const RETRY_SECONDS = 30

/** Heartbeat interval, in milliseconds: proxies close connections that are idle for 30 s or 60 s. */
const HEARTBEAT_MS = 15_000

/** The clock of the machine. It does not keep the process alive. */
export const machineClock: Clock = (milliseconds, tick) => {
  const timer = setInterval(tick, milliseconds).unref()
  return () => clearInterval(timer)
}

/** Owns the streams, and watches the store and the clock for them while any are open. */
export class EventStreams {
  readonly #log: ChangeLog
  readonly #turns: Turns
  readonly #storage: Pick<Store, 'watch'>
  readonly #batches: SharedBatches
  readonly #clock: Clock
  readonly #admission: Mount['admission']
  readonly #limits: StreamLimits
  /** Streams that are open or opening. */
  #count = 0
  /** Each stream with the closing signal of its server. */
  readonly #streams = new Map<EventStream, AbortSignal | undefined>()
  readonly #servers = new WeakSet<AbortSignal>()
  #stop: (() => void) | undefined

  /** `admission`: checked again before anything is sent, with the target and the token that the stream was opened with. */
  constructor(
    {
      log,
      storage,
      turns,
    }: { readonly log: ChangeLog; readonly storage: Pick<Store, 'watch'>; readonly turns: Turns },
    clock: Clock,
    admission: Mount['admission'],
    limits: StreamLimits,
  ) {
    this.#log = log
    this.#turns = turns
    this.#limits = limits
    this.#storage = storage
    this.#batches = new SharedBatches(log)
    this.#clock = clock
    this.#admission = admission
  }

  /**
   * Opens a stream of events. It ends when its client disconnects and when the server closes.
   * @throws WorldFault as `ChangeLog.read`; `rate_limited`, `unavailable` if too many are open
   */
  async open({ request, filter, since, failed }: OpenedFor): Promise<EventStream> {
    const { signal, closing } = request
    const leave = this.#enter(request)
    const [batches, turns] = [this.#batches, this.#turns]
    const subscription = this.#subscription(request, filter)
    const closed = () => {
      leave()
      this.#closed(stream)
    }
    const opening = turns.run(async () => {
      const first = await readPiece(this.#log, { ...filter, since, signal })
      return new EventStream({ batches, turns, subscription, failed, closed }, first)
    })
    const stream = await opening.catch((error) => {
      leave()
      throw error
    })
    this.#streams.set(stream, closing)
    this.#stop ??= this.#start()
    if (closing) this.#awaitEnd(closing)
    if (closing?.aborted) stream.sayGoodbye()
    if (signal?.aborted) stream.destroy()
    signal?.addEventListener('abort', () => stream.destroy(), { once: true })
    return stream
  }

  /** Counts a stream. Returns the function that releases it. */
  #enter(request: WorldRequest): () => void {
    const { maxStreams = MAX_STREAMS, enterStream } = this.#limits
    if (this.#count >= maxStreams)
      throw unavailable(
        'Too many event streams are open here. Try again later, or ask for pages.',
        RETRY_SECONDS,
      )
    const leave = enterStream?.(request)
    if (enterStream && !leave)
      throw unavailable(
        'You have too many event streams open. Close some, or ask for pages.',
        RETRY_SECONDS,
        {
          code: 'rate_limited',
        },
      )
    this.#count += 1
    return () => {
      this.#count -= 1
      leave?.()
    }
  }

  /** In a private world each token has its own key, so that its streams share no reads with those of other tokens. */
  #subscription(
    { method, target, headers: { authorization } }: WorldRequest,
    filter: OpenedFor['filter'],
  ): Subscription {
    const admit = this.#admission()
    const key = JSON.stringify([filter.types, filter.entities, admit && authorization])
    // A new request each time: nothing cached for an earlier one may count.
    const checkRight =
      admit && (() => admit({ method, target, headers: { authorization } }, () => filter.types))
    return { ...filter, key, checkRight }
  }

  #start(): () => void {
    const ending = new AbortController()
    const stopClock = this.#clock(HEARTBEAT_MS, () => this.#beat())
    void this.#follow(ending.signal)
    return () => {
      stopClock()
      ending.abort()
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of storeMoves(this.#storage, signal)) {
        this.#batches.begin()
        for (const stream of this.#streams.keys()) stream.wake()
      }
    } catch (error) {
      for (const stream of this.#streams.keys()) stream.fail(error)
    }
  }

  /** Sends heartbeats, and ends streams that may no longer read the world; the right of a key is checked once. */
  #beat(): void {
    const checks = new Map<string, Promise<void>>()
    for (const stream of this.#streams.keys()) {
      const { key, checkRight } = stream.subscription
      if (!checkRight) {
        stream.beat()
        continue
      }
      const check = checks.get(key) ?? Promise.resolve().then(checkRight)
      checks.set(key, check)
      check.then(
        () => stream.beat(),
        (error) => stream.fail(error),
      )
    }
  }

  /** Registers one listener per server, however many streams it has. */
  #awaitEnd(closing: AbortSignal): void {
    if (this.#servers.has(closing)) return
    this.#servers.add(closing)
    const end = () => {
      for (const [stream, server] of this.#streams) if (server === closing) stream.sayGoodbye()
    }
    closing.addEventListener('abort', end, { once: true })
  }

  #closed(stream: EventStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}
