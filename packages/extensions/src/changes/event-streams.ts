/** Event streams of a process. They share reads of the log, one watch of the store and one heartbeat timer. */
import { type LateFailure, type Mount, unavailable, type WorldRequest } from '@worldwright/core'
import type { Store } from '@worldwright/core/store'
import type { ChangeLog } from './change-log.ts'
import { EventStream } from './event-stream.ts'
import { SharedBatches, type Subscription } from './shared-batches.ts'
import { readPiece, type Turns } from './turns.ts'

/** Calls `tick` at a fixed interval until the returned function is called. */
export type Clock = (milliseconds: number, tick: () => void) => () => void

/** Request and filter of a new stream. */
export interface OpenedFor {
  readonly request: WorldRequest
  readonly filter: Pick<Subscription, 'types' | 'entities' | 'where'>
  /** See `ChangesRequest`. */
  readonly since: string | undefined
  readonly failed: LateFailure
}

/** Limits on open event streams in total and per client. */
export interface StreamLimits {
  /** Maximum open streams in this process; default 2,000. A stream takes about 100 kB if its client reads nothing. */
  readonly maxStreams?: number
  /** Reserves a stream for a client. Returns its release function, or undefined if the client is at its limit. */
  readonly enterStream?: (request: WorldRequest) => (() => void) | undefined
}

const MAX_STREAMS = 2_000
/** `Retry-After` for refused clients, in seconds. It is long because streams stay open for a long time. */
const RETRY_SECONDS = 30

/** Heartbeat interval, in milliseconds. Proxies typically close connections that are idle for 30 s or 60 s. */
const HEARTBEAT_MS = 15_000

/** System clock. Its timer does not keep the process alive. */
export const machineClock: Clock = (milliseconds, tick) => {
  const timer = setInterval(tick, milliseconds).unref()
  return () => clearInterval(timer)
}

/** Owns the open streams. Watches the store and sends heartbeats while any are open. */
export class EventStreams {
  readonly #log: ChangeLog
  readonly #turns: Turns
  readonly #store: Pick<Store, 'types' | 'watch'>
  /** Version of each type when the streams were last woken. */
  #versions: ReadonlyMap<string, string> = new Map()
  readonly #batches: SharedBatches
  readonly #clock: Clock
  readonly #admission: Mount['admission']
  readonly #limits: StreamLimits
  /** Number of open and opening streams. */
  #count = 0
  /** Open streams, each with its server's closing signal. */
  readonly #streams = new Map<EventStream, AbortSignal | undefined>()
  readonly #servers = new WeakSet<AbortSignal>()
  #stop: (() => void) | undefined

  /** Before each send, `admission` is applied again to the stream's original target and token. */
  constructor(
    {
      log,
      store,
      turns,
    }: { readonly log: ChangeLog; readonly store: Pick<Store, 'types' | 'watch'>; readonly turns: Turns },
    clock: Clock,
    admission: Mount['admission'],
    limits: StreamLimits,
  ) {
    this.#log = log
    this.#turns = turns
    this.#limits = limits
    this.#store = store
    this.#batches = new SharedBatches(log)
    this.#clock = clock
    this.#admission = admission
  }

  /**
   * Opens an event stream. The stream ends when its client disconnects or the server closes.
   * @throws WorldFault as `ChangeLog.read`; `rate_limited`, `unavailable` if too many streams are open
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

  /** Reserves a slot for a stream. Returns a function that releases it. */
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

  /** Creates a stream's subscription. In a private world, its key includes the token: reads are not shared across tokens. */
  #subscription(
    { method, target, headers: { authorization } }: WorldRequest,
    filter: OpenedFor['filter'],
  ): Subscription {
    const admit = this.#admission()
    const { types, entities, where } = filter
    const readKey = JSON.stringify([types, entities, where !== undefined, admit && authorization])
    const key = JSON.stringify([readKey, where?.key])
    // Creates a new request each time, so that results cached for an earlier one are not reused.
    const checkRight = admit && (() => admit({ method, target, headers: { authorization } }, () => types))
    return { ...filter, readKey, key, checkRight }
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
      for await (const _ of this.#store.watch(signal)) {
        this.#batches.begin()
        const changed = await this.#changedTypes()
        for (const stream of this.#streams.keys()) if (stream.concerns(changed)) stream.wake()
      }
    } catch (error) {
      for (const stream of this.#streams.keys()) stream.fail(error)
    }
  }

  /** Returns the types that have changed since the last call. */
  async #changedTypes(): Promise<ReadonlySet<string>> {
    const known = this.#versions
    const types = await this.#store.types()
    this.#versions = new Map([...types].map(([type, { version }]) => [type, version]))
    return new Set(
      [...this.#versions].flatMap(([type, version]) => (known.get(type) === version ? [] : type)),
    )
  }

  /** Sends heartbeats, and ends streams whose clients may no longer read. Access is checked once per subscription key. */
  #beat(): void {
    const checks = new Map<string, Promise<void>>()
    for (const stream of this.#streams.keys()) {
      const { key, checkRight } = stream.subscription
      if (!checkRight) {
        void stream.beat()
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

  /** Registers one closing listener per server, regardless of the number of streams. */
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
