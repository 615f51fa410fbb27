/**
 * Follows a world's log: reads pages up to its end, then an event stream.
 */
import { apiUrl, component } from './address.ts'
import { send } from './calls.ts'
import { type Change, type ChangesPage, changeFrom, pageFrom } from './change.ts'
import { settingsOf, type WorldData } from './discovery.ts'
import { assertArgument, attempt, fail, isText, isWorldError, WorldError } from './error.ts'
import { follow, type Log, type Sink } from './follow.ts'
import { whenCurrent } from './freshness.ts'
import { EVENT_STREAM, liveEvents } from './live-events.ts'
import { withMessage } from './messages.ts'
import { isObject, type JsonObject } from './protocol.ts'

/** Name of the extension that publishes changes (decisions 8). */
export const CHANGES_EXTENSION = 'worldwright:changes'
// Maximum page size of worlds served by this project.
const PAGE_SIZE = 1000
// Maximum pause before the first retry, in milliseconds.
const FIRST_PAUSE = 500

/** Types and starting point of the changes to follow. */
export interface ChangesOptions<Type extends string = string> {
  /** `next` of an earlier change, or `now` for changes from now on only. Default: the beginning of the log. */
  since?: string | undefined
  /** Restricts changes to these types. Default: all types. A `since` is valid only with the types it was returned for. */
  types?: readonly Type[] | undefined
  /** Condition as in a query. An entity that changes and does not match it yields `leave` instead of a put or a deletion. */
  where?: object | string | undefined
  /** Includes the entity in each put. */
  entities?: boolean | undefined
  /** Stops following when it aborts. The call then rejects with `aborted`. */
  signal?: AbortSignal | undefined
}

/** Options for requesting one page of changes. */
export interface PageOptions extends ChangesOptions {
  /** Omits damaged entities and lists them in `damaged`, instead of failing the request. */
  nameDamaged?: boolean | undefined
}

/** Follower of one world's log. */
export class Follower implements Log<ChangesPage>, Sink<ChangesPage, Change> {
  readonly isExpired = isExpired
  readonly #world: WorldData
  readonly #options: PageOptions
  /** Query parameters other than `since` and `limit`, encoded. */
  readonly #filter: object
  #since: string | undefined
  #hasAnswered = false

  /** Creates a follower that starts at `since`, without sending anything. Throws `invalid_argument` for invalid options. */
  constructor(world: WorldData, options: PageOptions) {
    const { since, types, where, entities, nameDamaged } = options
    assertArgument(since === undefined || (isText(since) && attempt(() => encodeURIComponent(since))), {
      since,
    })
    assertArgument(types === undefined || (Array.isArray(types) && types.length), { types })
    this.#world = world
    this.#options = options
    this.#since = since
    this.#filter = {
      types: types?.map(component).join(),
      where: where && encodeURIComponent(isText(where) ? where : JSON.stringify(where)),
      entities,
      damaged: nameDamaged && 'named',
    }
  }

  /** Reads a page and moves the checkpoint past it, so that `now` means the time of this call. Returns the checkpoint. */
  async start(): Promise<string> {
    this.#since = (await this.read()).next
    return this.#since
  }

  /** Yields the rest of the log, then changes as they happen. Throws `aborted` when the signal aborts. */
  async *changes(): AsyncGenerator<Change, void, undefined> {
    const { signal = new AbortController().signal } = this.#options
    yield* follow<ChangesPage, Change>(this, this, { signal, retryMs: FIRST_PAUSE })
    throw new WorldError('aborted', undefined, { cause: signal.reason })
  }

  /** Reads the next page of the log, with the retries of a safe call. Does not move the checkpoint. */
  read(): Promise<ChangesPage> {
    return withMessage(async () => {
      const { entities, signal } = this.#options
      const options = await whenCurrent(this.#world, { signal })
      const route = this.#route(PAGE_SIZE)
      const page = await send(this.#world, route, options, (body) => pageFrom(body, entities))
      if (page.more && page.next === this.#since) fail('pagination_loop', { next: page.next })
      this.#hasAnswered = true
      return page
    })
  }

  /** Yields undefined, then changes as they happen. Ends if the stream fails; `read` then returns what was missed. */
  async *live(): AsyncGenerator<ChangesPage | undefined, void, undefined> {
    yield
    const { formats } = this.#declared()
    const { parse = JSON.parse } = settingsOf(this.#world)
    if (Array.isArray(formats) && !formats.includes(EVENT_STREAM)) return
    try {
      for await (const events of this.#events()) {
        const changes = events
          .filter(({ event }) => event === 'change')
          .map(({ data }) => changeFrom(parse(data), this.#options.entities))
        const next = changes.at(-1)?.next
        if (next) yield { changes, next, more: false }
      }
    } catch {}
  }

  /** Yields the position of each event (an empty string if it has none), and undefined for heartbeats. */
  async *positions(): AsyncGenerator<string | undefined, void, undefined> {
    for await (const events of this.#events()) {
      if (events.length === 0) yield undefined
      for (const { event, data } of events) {
        if (event === 'goodbye' || event === 'expired') return
        const { position } = Object(attempt(() => JSON.parse(data)))
        yield isText(position) ? position : ''
      }
    }
  }

  /** Returns the offset from which the next page is read. */
  checkpoint(): string | undefined {
    return this.#since
  }

  /** Advances the checkpoint before yielding each change, so that a caller that leaves the loop does not get it again. */
  *apply({ changes, next }: ChangesPage): Generator<Change, void, undefined> {
    for (const change of changes) {
      this.#since = change.next
      yield change
    }
    this.#since = next
  }

  /** Before the first response, throws any error, because the address may be wrong. Later, throws only permanent errors. */
  lost(error: unknown): undefined {
    if (!this.#hasAnswered || !isWorldError(error) || !willPass(error)) throw error
  }

  #events() {
    const { endpoints } = this.#world.document
    return liveEvents(this.#world, apiUrl(endpoints.api, this.#route()), this.#options.signal)
  }

  #route(limit?: number): string {
    const { path } = this.#declared()
    const parameters = { since: this.#since && encodeURIComponent(this.#since), ...this.#filter, limit }
    const query = Object.entries(parameters).flatMap(([name, value]) => (value ? `${name}=${value}` : []))
    return `${component(isText(path) ? path : 'changes')}?${query.join('&')}`
  }

  #declared(): JsonObject {
    const { extensions } = this.#world.document
    const declared = isObject(extensions) && extensions[CHANGES_EXTENSION]
    if (isObject(declared) && (!this.#options.where || declared['where'])) return declared
    const message = declared
      ? 'The world accepts no `where` for changes. Follow without it.'
      : 'The world does not say what changes in it. Read its lists from time to time.'
    throw new WorldError('unsupported_extension', message, { details: { extension: CHANGES_EXTENSION } })
  }
}

/** Reports whether `error` means that `since` has expired. The caller must then start again without `since`. */
export function isExpired(error: unknown): boolean {
  return isWorldError(error) && ['changes_expired', 'invalid_cursor'].includes(error.code)
}

/** Reports whether a failure may be temporary: no connection, a timeout, too many requests, or a server error. */
export function willPass({ code, status }: WorldError): boolean {
  return ['network_error', 'timeout'].includes(code) || /408|429|5\d\d/.test(`${status}`)
}
