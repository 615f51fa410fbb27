/** All open event streams of a process: one watch of the store, one heartbeat, and what they read together. */
import type { LateFailure, Mount, WorldRequest } from '@worldwright/core'
import { unavailable } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import { storeMoves } from '@worldwright/core/store'
import type { ChangeLog } from './change-log.ts'
import { EventStream } from './event-stream.ts'
import { SharedBatches, type Subscription } from './shared-batches.ts'
import { readPiece, type Turns } from './turns.ts'

/** Calls something in equal times, until what it answers with is called. */
export type Clock = (milliseconds: number, tick: () => void) => () => void

/** Request and filter that a stream is opened for. */
export interface OpenedFor {
  readonly request: WorldRequest
  readonly filter: Pick<Subscription, 'types' | 'entities'>
  /** As in `ChangesRequest`. */
  readonly since: string | undefined
  readonly failed: LateFailure
}

/** Limits of the event streams that may be open, of all clients and of one. */
export interface StreamLimits {
  /** Open streams of this process. Default 2,000: each takes about 100 kB if its client reads nothing. */
  readonly maxStreams?: number
  /** Counts a stream of a client, and returns what ends it; undefined if the client has as many as it may. */
  readonly enterStream?: (request: WorldRequest) => (() => void) | undefined
}

const MAX_STREAMS = 2_000
/** Seconds after which a refused client asks again. Streams are open for long. */
const RETRY_SECONDS = 30

/** Proxies close connections on which nothing came for 30 s or 60 s. */
const HEARTBEAT_MS = 15_000

/** The clock of the machine, which keeps no process alive. */
export const machineClock: Clock = (milliseconds, tick) => {
  const timer = setInterval(tick, milliseconds).unref()
  return () => clearInterval(timer)
}

/** Owns the streams, and watches the store and the clock for them as long as there are any. */
export class EventStreams {
  readonly #log: ChangeLog
  readonly #turns: Turns
  readonly #storage: Pick<Store, 'watch'>
  readonly #batches: SharedBatches
  readonly #clock: Clock
  readonly #admission: Mount['admission']
  readonly #limits: StreamLimits
  /** Open streams, and those about to open. */
  #count = 0
  /** Each with the signal of its server. */
  readonly #streams = new Map<EventStream, AbortSignal | undefined>()
  readonly #servers = new WeakSet<AbortSignal>()
  #stop: (() => void) | undefined

  /** `admission`: asked again before anything goes out, with the target and the token that a stream was opened with. */
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
   * A stream of events. It ends when its client leaves and when the server closes.
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

  /** Counts a stream. Returns the function that ends the count. */
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

  /** Each token of a private world reads for itself. */
  #subscription(
    { method, target, headers: { authorization } }: WorldRequest,
    filter: OpenedFor['filter'],
  ): Subscription {
    const admit = this.#admission()
    const key = JSON.stringify([filter.types, filter.entities, admit && authorization])
    // A request of its own each time: what was learnt about an earlier one does not count.
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

  /** Ends streams that may not read the world any more; the right of a key is checked once. */
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

  /** One listener for each server, however many streams it has. */
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
