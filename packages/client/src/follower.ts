/**
 * A follower of a world's log: pages up to the end of the log, then a stream.
 */
import { apiUrl, component } from './address.ts'
import { send } from './calls.ts'
import { type Change, type ChangesPage, changeFrom, pageFrom } from './change.ts'
import type { WorldData } from './discovery.ts'
import { assertArgument, attempt, fail, isText, isWorldError, WorldError } from './error.ts'
import { follow, type Log, type Sink } from './follow.ts'
import { whenCurrent } from './freshness.ts'
import { EVENT_STREAM, liveEvents } from './live-events.ts'
import { withMessage } from './messages.ts'
import { isObject, isWellFormed, type JsonObject } from './protocol.ts'

const EXTENSION = 'worldwright:changes'
// Maximum page size of our worlds.
const PAGE_SIZE = 1000
// First pause between two attempts, in milliseconds.
const FIRST_PAUSE = 500

/** Types and starting point of the changes to follow. */
export interface ChangesOptions<Type extends string = string> {
  /** `next` of a change received before; `now`: only later changes. Absent: from the beginning. */
  since?: string | undefined
  /** Only changes of these types. Absent: of all types. A `since` is valid only for the types it was returned for. */
  types?: readonly Type[] | undefined
  /** Includes its entity in each put. */
  entities?: boolean | undefined
  /** Ends the following, which rejects with code `aborted`. */
  signal?: AbortSignal | undefined
}

/** Options of requesting a page of changes. */
export interface PageOptions extends ChangesOptions {
  /** Damaged entities of the world are omitted and named, instead of failing the page. */
  nameDamaged?: boolean | undefined
}

/** A walk along the log of one world. */
export class Follower implements Log<ChangesPage>, Sink<ChangesPage, Change> {
  readonly isExpired = isExpired
  readonly #world: WorldData
  readonly #options: PageOptions
  readonly #query: string
  #since: string | undefined
  #hasAnswered = false

  /** Prepares a walk from `since` on, without a request. `invalid_argument` for options that cannot be sent. */
  constructor(world: WorldData, options: PageOptions) {
    const { since, types, entities, nameDamaged } = options
    assertArgument(since === undefined || (isText(since) && since && isWellFormed(since)), { since })
    assertArgument(types === undefined || (Array.isArray(types) && types.length), { types })
    this.#world = world
    this.#options = options
    this.#since = since
    const filter = types && `types=${types.map(component).join(',')}`
    this.#query = [filter, entities && 'entities=true', nameDamaged && 'damaged=named']
      .filter(Boolean)
      .join('&')
  }

  /** Fixes `now` to the moment of this call instead of that of the first change, and returns the offset. */
  async start(): Promise<string> {
    const { next } = await this.read()
    this.#since = next
    return next
  }

  /** Yields everything in the log from here on, then what is added to it, until the signal aborts, which is a failure. */
  async *changes(): AsyncGenerator<Change, void, undefined> {
    const { signal = new AbortController().signal } = this.#options
    yield* follow<ChangesPage, Change>(this, this, { signal, retryMs: FIRST_PAUSE })
    throw new WorldError('aborted', undefined, { cause: signal.reason })
  }

  /** Reads the next page of the log, as any safe call. The checkpoint does not move. */
  read(): Promise<ChangesPage> {
    return withMessage(async () => {
      const { entities, signal } = this.#options
      const options = await whenCurrent(this.#world, { signal })
      const route = this.#route(`limit=${PAGE_SIZE}`)
      const page = await send(this.#world, route, options, (body) => pageFrom(body, entities))
      if (page.more && page.next === this.#since) fail('pagination_loop', { next: page.next })
      this.#hasAnswered = true
      return page
    })
  }

  /** Yields changes as they happen. A failing stream just ends: the next page has the missed changes, or the error. */
  async *live(): AsyncGenerator<ChangesPage | undefined, void, undefined> {
    yield
    const { formats } = this.#declared()
    if (Array.isArray(formats) && !formats.includes(EVENT_STREAM)) return
    try {
      for await (const events of this.#events()) {
        const changes = events
          .filter(({ event }) => event === 'change')
          .map(({ data }) => changeFrom(JSON.parse(data), this.#options.entities))
        const next = changes.at(-1)?.next
        if (next) yield { changes, next, more: false }
      }
    } catch {}
  }

  /** Yields the position in each event, empty if it has none; undefined for a heartbeat. */
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

  /** Returns the `since` of the next page. */
  checkpoint(): string | undefined {
    return this.#since
  }

  /** Moves the checkpoint before yielding each change: a caller that leaves after a change has received it. */
  *apply({ changes, next }: ChangesPage): Generator<Change, void, undefined> {
    for (const change of changes) {
      this.#since = change.next
      yield change
    }
    this.#since = next
  }

  /** Before the first answer, a wrong address is as likely as a temporary failure, so the error is thrown. */
  lost(error: unknown): undefined {
    if (!this.#hasAnswered || !isWorldError(error) || !willPass(error)) throw error
  }

  #events() {
    const { endpoints } = this.#world.document
    return liveEvents(this.#world, apiUrl(endpoints.api, this.#route()), this.#options.signal)
  }

  #route(...parameters: string[]): string {
    const { path } = this.#declared()
    const since = this.#since === undefined ? '' : `since=${encodeURIComponent(this.#since)}`
    const query = [since, this.#query, ...parameters].filter(Boolean).join('&')
    return `${component(isText(path) ? path : 'changes')}?${query}`
  }

  #declared(): JsonObject {
    const { extensions } = this.#world.document
    const declared = isObject(extensions) && extensions[EXTENSION]
    if (isObject(declared)) return declared
    const message = 'The world does not say what changes in it. Read its lists from time to time.'
    throw new WorldError('unsupported_extension', message, { details: { extension: EXTENSION } })
  }
}

/** Reports whether a failure means that this `since` has expired: begin again without one. */
export function isExpired(error: unknown): boolean {
  return isWorldError(error) && ['changes_expired', 'invalid_cursor'].includes(error.code)
}

/** Reports whether a failure may be temporary: no connection, no answer in time, too many requests, a server error. */
export function willPass({ code, status }: WorldError): boolean {
  return ['network_error', 'timeout'].includes(code) || /408|429|5\d\d/.test(`${status}`)
}
