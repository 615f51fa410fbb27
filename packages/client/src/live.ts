/**
 * Live queries. The method `live` of a world loads this module on first use. Every answer is one answer of the world: nothing
 * is sorted, counted or filtered here. Changes only decide when to send the query again.
 */
import { component } from './address.ts'
import { send } from './calls.ts'
import type { Change, ChangesPage } from './change.ts'
import { within } from './deadline.ts'
import { assertArgument, fail, isWorldError, type WorldError } from './error.ts'
import { follow, type Log, type LogPage, type Sink } from './follow.ts'
import { CHANGES_EXTENSION, Follower, isExpired, willPass } from './follower.ts'
import { type KeptWorld, whenCurrent } from './freshness.ts'
import type { Measures } from './group-types.ts'
import { scopeOf } from './live-scope.ts'
import { withMessage } from './messages.ts'
import { type Entity, isObject, type JsonObject } from './protocol.ts'
import { QUERY_ACTION } from './query.ts'
import type { QueryOutput } from './query-types.ts'
import { entitiesIn } from './reader.ts'
import type { CallOptions } from './request.ts'
import { objectIn } from './response.ts'

/** Options for a live query. `timeout` applies to each request of the query. */
export interface LiveOptions extends Pick<CallOptions, 'signal' | 'timeout'> {
  /** Minimum pause between two requests of the query, in milliseconds. Default 250. */
  interval?: number | undefined
}

/** A query whose answer is kept current. A loop yields the latest answer, then newer ones, and closes the query when left. */
export interface Live<E = Entity, M extends Measures = Measures> extends AsyncIterable<QueryOutput<E, M>> {
  /** Latest answer, as the world gave it. Replaced by newer ones, never modified. */
  readonly current: QueryOutput<E, M>
  /** `live`; `retrying` after a failure that may pass; `failed` after any other failure; `closed`. The last two are final. */
  readonly status: 'live' | 'retrying' | 'failed' | 'closed'
  /** Reason why `status` is `retrying` or `failed`. */
  readonly error: WorldError | undefined
  /** Calls `listener` after changes of `current` and `status`, until the returned function is called. */
  readonly subscribe: (listener: (live: Live<E, M>) => void) => () => void
  /** Stops following. `current` stays as it is. */
  close(): void
}

const ROUTE = `actions/${component(QUERY_ACTION)}`

/**
 * Sends a query and keeps its answer current. Rejects as any safe call does, and with `unsupported_extension` if the world
 * publishes no changes. Once it has resolved, failures that may pass are retried with pauses of up to 30 seconds.
 */
export async function live(world: KeptWorld, input: object = {}, options: LiveOptions = {}): Promise<Live> {
  return withMessage(async () => {
    assertArgument(isObject(input), { input: 'no JSON object' })
    if (!isObject(Object(world.document.extensions)[CHANGES_EXTENSION]))
      fail('unsupported_extension', { extension: CHANGES_EXTENSION })
    const query = new LiveQuery(world, input, options)
    await query.begin()
    return query
  })
}

class LiveQuery implements Live {
  declare current: QueryOutput
  readonly #world: KeptWorld
  readonly #body: string
  readonly #options: LiveOptions
  readonly #scope: ReturnType<typeof scopeOf>
  readonly #ending = new AbortController()
  readonly #listeners = new Set<(live: Live) => void>()
  readonly #failures = new Map<string, WorldError>()
  #end: { status: 'failed' | 'closed'; error?: WorldError } | undefined
  #isStale = false
  /** Keys of all entities that match, if the answer lists them and depends on no others. */
  #matches: Set<string> | undefined
  /** Changes received during a request. Its answer may include them or not. */
  #meanwhile: Change[] | undefined
  /** Position that the next answer must include. */
  #after: string | undefined
  #wake = () => {}

  constructor(world: KeptWorld, input: JsonObject, options: LiveOptions) {
    this.#world = world
    this.#body = JSON.stringify({ input })
    this.#options = options
    this.#scope = scopeOf(world, input)
  }

  get status() {
    return this.#end?.status ?? (this.#failures.size ? 'retrying' : 'live')
  }

  get error() {
    return this.#end ? this.#end.error : this.#failures.values().next().value
  }

  subscribe: Live['subscribe'] = (listener) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#stop('closed')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<QueryOutput, void, undefined> {
    try {
      while (!this.#end) {
        const seen = this.current
        yield seen
        while (this.current === seen && !this.#end)
          await new Promise<void>((resolve) => {
            const end = this.subscribe(() => resolve(end()))
          })
      }
      if (this.error) throw this.error
    } finally {
      this.close()
    }
  }

  /** Sends the query for the first time, then follows in the background. */
  async begin(): Promise<void> {
    const { signal } = this.#options
    const abort = () => this.#stop('closed', undefined, signal?.reason)
    signal?.addEventListener('abort', abort, { signal: this.#ending.signal })
    if (signal?.aborted) abort()
    await this.#ask().catch((error) => {
      this.close()
      throw error
    })
    // The query is read like a log whenever the answer is stale, so that the driver of all followers retries it.
    const read = () => withMessage(() => this.#ask())
    const query = { read, live: () => this.#news(), isExpired: () => false }
    const asking = this.#follow('query', query, { checkpoint: () => undefined, apply: () => undefined })
    Promise.all([asking, this.#listen()]).catch((error) => this.#stop('failed', error))
  }

  async #ask(): Promise<LogPage> {
    const meanwhile: Change[] = []
    this.#isStale = false
    this.#meanwhile = meanwhile
    try {
      const options = await whenCurrent(this.#world, { ...this.#options, signal: this.#ending.signal })
      const headers = this.#after ? { 'worldwright-after': this.#after } : {}
      const take = (body: unknown) => entitiesIn<QueryOutput>(objectIn<JsonObject>(body)['output'])
      this.current = await send(this.#world, ROUTE, options, take, this.#body, true, headers)
      const { entities, total, totalIsLowerBound, partial, damaged } = this.current
      const isWhole = total === entities.length && !totalIsLowerBound && !partial && !damaged
      this.#matches =
        isWhole && this.#scope ? new Set(entities.map(({ type, id }) => `${type} ${id}`)) : undefined
      this.#notify()
    } catch (error) {
      this.#isStale = true
      if (!this.#after || !isWorldError(error) || error.code !== 'invalid_parameter') throw error
      // A world that was restored refuses positions from before. The next request names none.
      this.#after = undefined
    } finally {
      this.#meanwhile = undefined
      this.#hear(meanwhile)
    }
    return { changes: [], next: '', more: false }
  }

  /** Yields while the answer is stale, at most once per interval. */
  async *#news(): AsyncGenerator<undefined, void, undefined> {
    const { interval = 250 } = this.#options
    while (!this.#end) {
      if (!this.#isStale)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      yield
      await within(interval, this.#ending.signal, () => new Promise(() => {})).catch(() => {})
    }
  }

  /** Follows the changes after the first answer. Without a usable offset, follows from now on and sends the query again. */
  async #listen(): Promise<void> {
    const { signal } = this.#ending
    let where = this.#scope?.where
    let since = (this.#scope && this.current.offset) ?? 'now'
    while (!this.#end) {
      const follower = new Follower(this.#world, { since, types: this.#scope?.types, where, signal })
      const checkpoint = () => follower.checkpoint()
      const apply = (page: ChangesPage) => {
        this.#isStale ||= checkpoint() === 'now'
        this.#after = page.position ?? page.changes.at(-1)?.position ?? this.#after
        this.#hear([...follower.apply(page)])
        return undefined
      }
      try {
        await this.#follow('changes', follower, { checkpoint, apply })
      } catch (error) {
        if (isExpired(error)) since = 'now'
        // If the condition is refused, follow without it. Any other failure occurs again.
        else if (where) where = undefined
        else throw error
      }
    }
  }

  async #follow<Page extends LogPage>(name: string, log: Log<Page>, sink: Sink<Page>): Promise<void> {
    const reporting: Sink<Page> = {
      ...sink,
      apply: (page) => {
        if (this.#failures.delete(name)) this.#notify()
        return sink.apply(page)
      },
      lost: (error) => {
        if (!isWorldError(error) || !willPass(error)) throw error
        this.#failures.set(name, error)
        this.#notify()
        return undefined
      },
    }
    const { signal } = this.#ending
    for await (const _ of follow(log, reporting, { signal, retryMs: 500 }));
  }

  #hear(changes: readonly Change[]): void {
    if (this.#meanwhile) return void this.#meanwhile.push(...changes)
    // A change is irrelevant only if the entity neither matches now nor matched before.
    const isNews = ({ op, type, id }: Change) =>
      op === 'put' || !this.#matches || this.#matches.has(`${type} ${id}`)
    this.#isStale ||= changes.some(isNews)
    if (this.#isStale) this.#wake()
  }

  #stop(status: 'failed' | 'closed', error?: WorldError, reason?: unknown): void {
    if (this.#end) return
    this.#end = { status, ...(error && { error }) }
    this.#ending.abort(reason)
    this.#wake()
    this.#notify()
  }

  /** Calls listeners in microtasks: an error in one of them is reported by the platform, and stops nothing here. */
  #notify(): void {
    for (const listener of this.#listeners)
      queueMicrotask(() => this.#listeners.has(listener) && listener(this))
  }
}
