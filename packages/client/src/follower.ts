/**
 * Where a program stands in the log of a world, and how it goes on: pages up to the end of the log, then a stream.
 */
import { apiUrl, component } from './address.ts'
import { send } from './calls.ts'
import { type Change, type ChangesPage, pageFrom } from './change.ts'
import { within } from './deadline.ts'
import type { WorldData } from './discovery.ts'
import { assertArgument, fail, isText, isWorldError, WorldError } from './error.ts'
import { whenCurrent } from './freshness.ts'
import { EVENT_STREAM, LiveChanges } from './live-changes.ts'
import { withMessage } from './messages.ts'
import { isObject, isWellFormed, type JsonObject } from './protocol.ts'

const EXTENSION = 'worldwright:changes'
// The most that our worlds give at once.
const PAGE_SIZE = 1000
// A random part of a bound is waited that doubles from the first to the longest (ms).
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
// A stream that lasted this long (ms) did not fail, even if nothing came in it.
const LASTED = 10_000

/** Which changes are followed, and from where on. */
export interface ChangesOptions<Type extends string = string> {
  /** `next` of a change that was received before; `now`: only what comes. Absent: from the beginning. */
  since?: string | undefined
  /** Only changes of these types. Absent: of all. A `since` holds for the types it was given for. */
  types?: readonly Type[] | undefined
  /** Whether each put comes with its entity. */
  entities?: boolean | undefined
  /** Ends the following: it rejects with code `aborted`. */
  signal?: AbortSignal | undefined
}

/** One walk along the log of a world. It never ends by itself. */
export class Follower {
  readonly #world: WorldData
  readonly #query: string
  readonly #signal: AbortSignal | undefined
  #since: string | undefined
  #hasAnswered = false
  /** Pauses since something came. */
  #pauses = 0

  /** A walk from `since` on. Nothing is sent yet. `invalid_argument` for options that cannot be sent. */
  constructor(world: WorldData, { since, types, entities, signal }: ChangesOptions) {
    assertArgument(since === undefined || (isText(since) && since && isWellFormed(since)), { since })
    assertArgument(types === undefined || (Array.isArray(types) && types.length), { types })
    this.#world = world
    this.#since = since
    this.#signal = signal
    const filter = types && `types=${types.map(component).join(',')}`
    this.#query = [filter, entities && 'entities=true'].filter(Boolean).join('&')
  }

  /** Makes `now` the moment of this call instead of that of the first change, and gives the place. */
  async start(): Promise<string> {
    const { next } = await this.#page()
    this.#since = next
    return next
  }

  /** Everything that is in the log from here on, then what is added to it. */
  async *changes(): AsyncGenerator<Change, void, undefined> {
    for (;;) {
      for (let more = true; more; ) {
        const page = await this.#page()
        yield* this.#given(page.changes)
        this.#since = page.next
        more = page.more
      }
      yield* this.#live()
      await this.#pause()
    }
  }

  /** The place moves before each change is given: a caller that leaves after a change has had it. */
  *#given(changes: readonly Change[]): Generator<Change, void, undefined> {
    for (const change of changes) {
      this.#pauses = 0
      this.#since = change.next
      yield change
    }
  }

  async *#live(): AsyncGenerator<Change, void, undefined> {
    const { formats } = this.#declared()
    if (Array.isArray(formats) && !formats.includes(EVENT_STREAM)) return
    const began = Date.now()
    const { endpoints } = this.#world.document
    const stream = new LiveChanges(this.#world, apiUrl(endpoints.api, this.#route()), this.#signal)
    try {
      for (let changes = await stream.next(); changes; changes = await stream.next())
        yield* this.#given(changes)
    } finally {
      stream.close()
    }
    if (Date.now() - began >= LASTED) this.#pauses = 0
  }

  /** The next page of the log, as soon as it can be had. */
  async #page(): Promise<ChangesPage> {
    for (;;) {
      try {
        return await withMessage(() => this.read())
      } catch (error) {
        // Before the first answer, a wrong address is as likely as a world that will be back.
        if (!this.#hasAnswered || !isWorldError(error) || !willPass(error)) throw error
        await this.#pause(error.retryAfter)
      }
    }
  }

  /** The next page of the log, asked for as any safe call is. The place does not move. */
  async read(): Promise<ChangesPage> {
    const options = await whenCurrent(this.#world, { signal: this.#signal })
    const page = await send(this.#world, this.#route(`limit=${PAGE_SIZE}`), options, pageFrom)
    if (page.more && page.next === this.#since) fail('pagination_loop', { next: page.next })
    this.#hasAnswered = true
    return page
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

  /** Full jitter, so that programs that were cut off together do not return together. */
  async #pause(leastSeconds = 0): Promise<void> {
    const bound = Math.min(FIRST_PAUSE * 2 ** this.#pauses++, LONGEST_PAUSE)
    const ms = Math.random() * bound + leastSeconds * 1000
    // An abort ends the pause early, and the next page before anything is sent.
    await within(ms, this.#signal, () => new Promise(() => {})).catch(() => {})
  }
}

/** Whether a failure may be over soon: no connection, no answer in time, too many requests, a server in trouble. */
function willPass({ code, status }: WorldError): boolean {
  return ['network_error', 'timeout'].includes(code) || /408|429|5\d\d/.test(`${status}`)
}
