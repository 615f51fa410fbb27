/** Request dispatch: answers from the cache, by a route, or with an error. */
import type { MaybePromise, Source } from '../store/contract.ts'
import { errorBody, WorldFault } from '../world/errors.ts'
import { MAX_TARGET_BYTES } from '../world/limits.ts'
import { andThen } from './and-then.ts'
import { responseFrom } from './conditional-request.ts'
import { acceptsJson, preferredType } from './content-negotiation.ts'
import { errorResponse, faultFrom, optionsResponse } from './error-response.ts'
import type { Capability } from './extension.ts'
import type { Lane, Route, WorldRequest, WorldResponse } from './http.ts'
import { methodHandler, methodsOf, READ_METHODS } from './methods.ts'
import type { LogEvent, WorldOptions } from './options.ts'
import { AFTER_HEADER, waitForPosition } from './read-after.ts'
import { createRepresentations, type FormOf } from './representation.ts'
import { createRequestIds, idOf } from './request-id.ts'
import type { Lookup, ResponseCache } from './response-cache.ts'
import { type Match, type Router, splitTarget } from './router.ts'
import { OVERLOADED } from './unavailable.ts'

/** Trace of one request, filled in as it is handled. */
export interface RequestTrace {
  /** Path pattern of the route that answered; empty if there is none. */
  route: string
  /** Action name as given in the path; absent on routes without an action. */
  action?: string
}

/** Error codes that are logged, because the response body hides their cause. */
const LOGGED = ['internal_error', 'unavailable', 'damaged'] as const

/** Dependencies and options of the dispatcher. */
export interface DispatcherOptions extends Pick<WorldOptions, 'admission' | 'log' | 'retiredApiPaths'> {
  readonly router: Router
  readonly cache: ResponseCache
  readonly formOf: FormOf
  /** Combined `admit` hook. If undefined, anyone may read. */
  readonly admit: Capability['admit']
  readonly notFound: NonNullable<Capability['notFound']>
  readonly store: Source
}

/** Answers requests by their routes, with a response cache in front. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #retired: readonly string[]
  readonly #requestId = createRequestIds()
  readonly #represent = createRepresentations()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#retired = (options.retiredApiPaths ?? []).map(retiredPrefix)
  }

  /** Answers a request. Never throws or rejects. Returns a cache hit synchronously if the store is synchronous. */
  respond(request: WorldRequest, trace?: RequestTrace): MaybePromise<WorldResponse> {
    const isAtOnce = this.#options.admit === undefined && request.headers[AFTER_HEADER] === undefined
    const lookup = isAtOnce ? this.#lookUp(request) : undefined
    const isCalm = this.#options.admission?.isCalm() ?? true
    const known = lookup instanceof Promise || !isCalm ? undefined : lookup
    const response = this.#cachedResponse(request, known, trace) ?? this.#answerOrFail(request, lookup, trace)
    return request.method === 'HEAD' ? andThen(response, ({ body: _, ...head }) => head) : response
  }

  /** Looks up a request in the cache. Returns undefined if the request bypasses the cache. Rejects if the look-up throws. */
  #lookUp(request: WorldRequest): MaybePromise<Lookup | undefined> {
    if (!/^(?:GET|HEAD)$/.test(request.method) || !acceptsJson(request.headers['accept'])) return undefined
    try {
      return this.#options.cache.find(request)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async #answerOrFail(
    request: WorldRequest,
    lookup: MaybePromise<Lookup | undefined>,
    trace?: RequestTrace,
  ): Promise<WorldResponse> {
    try {
      return await this.#answer(request, await lookup, trace)
    } catch (thrown) {
      return this.failed(request, thrown)
    }
  }

  /** Returns the response to a request whose handling threw an error. Logs the cause if the response hides it. */
  failed(request: WorldRequest, thrown: unknown): WorldResponse {
    const { fault, id } = this.#failure(request, thrown)
    return errorResponse(fault, id)
  }

  async #answer(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace: RequestTrace | undefined,
  ): Promise<WorldResponse> {
    const { method, target } = request
    const id = idOf(request)
    if (target === '*' && method === 'OPTIONS') return optionsResponse(READ_METHODS, id)
    requireTargetLength(target)
    const match = await this.#match(request, splitTarget(target).path)
    const route = match instanceof WorldFault ? undefined : match.route
    if (trace) traceMatch(trace, match)
    if (method === 'OPTIONS') return optionsResponse(route ? methodsOf(route) : READ_METHODS, id)
    // Only admitted callers learn that a path does not exist.
    const reads = () => (match instanceof WorldFault ? [] : match.route.reads?.(request, match.params))
    if (!route?.open) await this.#options.admit?.(request, reads)
    if (match instanceof WorldFault) return this.#notFound(request, match)
    await waitForPosition(this.#options.store, request.headers[AFTER_HEADER], request.signal)
    const found = lookup ?? (await this.#lookUp(request))
    const cached = this.#cachedResponse(request, found)
    return cached ? this.#admitted('cached', request, async () => cached) : this.#made(request, match, found)
  }

  #admitted<T>(lane: Lane, request: WorldRequest, work: () => MaybePromise<T>): MaybePromise<T> {
    return this.#options.admission ? this.#options.admission.run(lane, request, work) : work()
  }

  /** Returns the cached response, if any. Most requests end here, and skip admission unless the process is overloaded. */
  #cachedResponse(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace?: RequestTrace,
  ): WorldResponse | undefined {
    if (lookup?.cached === undefined) return undefined
    const { route, representation } = lookup.cached
    if (trace) trace.route = route
    return responseFrom(representation, request)
  }

  /** @throws WorldFault `fault`, if no extension supplies a page */
  async #notFound(request: WorldRequest, fault: WorldFault): Promise<WorldResponse> {
    const page = READ_METHODS.includes(request.method)
      ? await this.#options.notFound(request, fault)
      : undefined
    if (page === undefined) throw fault
    return responseFrom(await this.#represent(page, this.#options.formOf(request)), request)
  }

  /** Returns the route for a path, or the fault to report if there is none. */
  #match(request: WorldRequest, path: string): MaybePromise<Match | WorldFault> {
    const selected = this.#select(path)
    const present = selected instanceof WorldFault ? undefined : selected.route.present
    if (present === undefined) return selected
    return andThen(present(request), (isPresent) => (isPresent ? selected : nothingAt(path)))
  }

  #select(path: string): Match | WorldFault {
    if (this.#retired.some((prefix) => `${path}/`.startsWith(prefix))) {
      return new WorldFault('api_moved', 'The API has moved. Read the discovery document again to find it.')
    }
    try {
      return this.#options.router(path) ?? nothingAt(path)
    } catch (thrown) {
      return faultFrom(thrown)
    }
  }

  async #made(request: WorldRequest, { route, params }: Match, lookup: Lookup | undefined) {
    const run = methodHandler(route, request.method)
    requireAcceptable(request, route)
    const lane = route.lane ?? (READ_METHODS.includes(request.method) ? 'read' : 'write')
    const work = async () => {
      const response = await run(request, params, (thrown) => {
        const { fault, id } = this.#failure(request, thrown)
        return errorBody(fault, id)
      })
      const representation = await this.#represent(response, this.#options.formOf(request))
      if (response.cacheable && lookup) {
        this.#options.cache.keep(lookup, response.cacheable, { route: route.path, representation })
      }
      return responseFrom(representation, request)
    }
    return this.#admitted(lane, request, work)
  }

  /** Returns the request id and the fault for a thrown value, and logs the cause that the response hides. */
  #failure(request: WorldRequest, thrown: unknown) {
    const { method, target, signal } = request
    const id = idOf(request) ?? this.#requestId()
    const fault = faultFrom(thrown, signal)
    const event = LOGGED.find((code) => code === fault.code)
    const { reason } = fault.details
    // A stack trace for every refused request would add to the load. Another reason without a cause hides nothing.
    const error = reason === OVERLOADED ? fault.message : (fault.cause ?? (reason ? undefined : fault))
    if (event && error) (this.#options.log ?? toConsole)({ event, requestId: id, method, target, error })
    return { fault, id }
  }
}

function toConsole({ event, method, target, requestId, error }: LogEvent): void {
  // The query and the authority may contain secrets.
  const path = target.replace(/[?#].*/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  // biome-ignore lint/suspicious/noConsole: the only log that every runtime has
  console.error('%s', `${event}: ${method} ${path} (request ${requestId})`, error)
}

/** @throws TypeError for a path that no request can have */
function retiredPrefix(path: string): string {
  if (/^\/[^/?#\s][^?#\s]*$/.test(path)) return `${path.replace(/\/$/, '')}/`
  throw new TypeError(`retiredApiPaths are paths such as /api/world/old; this is ${path}`)
}

function traceMatch(trace: RequestTrace, match: Match | WorldFault): void {
  if (match instanceof WorldFault) return
  trace.route = match.route.path
  const { action } = match.params
  if (action !== undefined) trace.action = action
}

function nothingAt(path: string): WorldFault {
  return new WorldFault('not_found', 'There is nothing at this path.', { path })
}

function requireTargetLength(target: string): void {
  if (target.length <= MAX_TARGET_BYTES) return
  const message = `A request target may have ${MAX_TARGET_BYTES} bytes at most.`
  throw new WorldFault('uri_too_long', message, { maxBytes: MAX_TARGET_BYTES })
}

function requireAcceptable({ headers: { accept } }: WorldRequest, route: Route): void {
  const { answers = [] } = route
  if (acceptsJson(accept) || preferredType(accept, answers) !== undefined) return
  const message = 'This API answers in application/json, which Accept excludes.'
  throw new WorldFault('not_acceptable', message, { supported: ['application/json', ...answers] })
}
