/** From a request to its response: from the cache, from its route, or an error. */
import { type MaybePromise, type Storage, StorageFault } from '../storage/contract.ts'
import { errorBody, WorldFault } from '../world/errors.ts'
import { MAX_TARGET_BYTES } from '../world/limits.ts'
import { Admission } from './admission.ts'
import { andThen } from './and-then.ts'
import { responseFrom } from './conditional-request.ts'
import { acceptsJson, preferredType } from './content-negotiation.ts'
import { errorResponse, faultFrom, OVERLOADED, optionsResponse, overloaded } from './error-response.ts'
import type { Lane, Route, WorldRequest, WorldResponse } from './http.ts'
import { methodHandler, methodsOf, READ_METHODS } from './methods.ts'
import type { WorldOptions } from './options.ts'
import { AFTER_HEADER, waitForPosition } from './read-after.ts'
import { RecentRefusals } from './recent-refusals.ts'
import { createRepresentations, formFor } from './representation.ts'
import { createRequestIds, givenId } from './request-id.ts'
import type { Lookup, ResponseCache } from './response-cache.ts'
import { type Match, type Router, splitTarget } from './router.ts'

/** What is learnt about a request while it is answered. */
export interface RequestTrace {
  /** The path of the route that answered, as a pattern; empty if there is none. */
  route: string
  /** The action that was asked for, as its path has it; absent on other routes. */
  action?: string
}

/** What an operator has to know of, as clients learn little of it. */
const LOGGED = ['internal_error', 'unavailable', 'damaged'] as const

/** What requests are answered with. */
export interface DispatcherOptions
  extends Pick<WorldOptions, 'admission' | 'admit' | 'log' | 'lost' | 'retiredApiPaths'> {
  readonly router: Router
  readonly cache: ResponseCache
  readonly storage: Pick<Storage, 'hasReached' | 'watch'>
}

/** Answers requests over a table of routes, in front of which stands a cache. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #retired: readonly string[]
  readonly #requestId = createRequestIds()
  readonly #represent = createRepresentations()
  readonly #admission: NonNullable<WorldOptions['admission']>
  readonly #refusals = new RecentRefusals()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#admission = options.admission ?? new Admission()
    this.#retired = (options.retiredApiPaths ?? []).map(retiredPrefix)
  }

  /** Answers any request; never throws or rejects. A cache hit needs no promise if the store needs none. */
  respond(request: WorldRequest, trace?: RequestTrace): MaybePromise<WorldResponse> {
    const isAtOnce = this.#options.admit === undefined && request.headers[AFTER_HEADER] === undefined
    const lookup = isAtOnce ? this.#lookUp(request) : undefined
    const known = lookup instanceof Promise ? undefined : lookup
    const response =
      this.#keptOrFail(request, known, trace) ??
      this.#refusedAtOnce(request, known, trace) ??
      this.#answerOrFail(request, lookup, trace)
    return request.method === 'HEAD' ? andThen(response, withoutBody) : response
  }

  /** What the cache has; undefined if it is not asked. A store that throws at once counts as one that rejects. */
  #lookUp(request: WorldRequest): MaybePromise<Lookup | undefined> {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || !acceptsJson(request.headers['accept'])) return undefined
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
      const failed = this.#failed(request, thrown)
      if (thrown instanceof StorageFault && thrown.code === 'overloaded')
        this.#refusals.note(request, waitMsOf(failed))
      return failed
    }
  }

  /** As `#cachedResponse`, which makes no promise where nothing waits. */
  #keptOrFail(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace?: RequestTrace,
  ): MaybePromise<WorldResponse> | undefined {
    try {
      const kept = this.#cachedResponse(request, lookup, trace)
      return kept instanceof Promise ? kept.catch((thrown) => this.#failed(request, thrown)) : kept
    } catch (thrown) {
      return this.#failed(request, thrown)
    }
  }

  #failed(request: WorldRequest, thrown: unknown): WorldResponse {
    const { fault, id } = this.#failure(request, thrown)
    return errorResponse(fault, id)
  }

  async #answer(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace: RequestTrace | undefined,
  ): Promise<WorldResponse> {
    const { method, target } = request
    const id = givenId(request.headers['request-id'])
    if (target === '*' && method === 'OPTIONS') return optionsResponse(READ_METHODS, id)
    requireTargetLength(target)
    const match = await this.#match(request, splitTarget(target).path)
    const route = match instanceof WorldFault ? undefined : match.route
    if (trace) traceMatch(trace, match)
    if (method === 'OPTIONS') return optionsResponse(route ? methodsOf(route) : READ_METHODS, id)
    // Only those who may be answered learn that a path leads nowhere.
    if (!route?.open) await this.#options.admit?.(request)
    if (match instanceof WorldFault) return this.#lost(request, match)
    await waitForPosition(this.#options.storage, request)
    const found = lookup ?? (await this.#lookUp(request))
    return this.#cachedResponse(request, found) ?? this.#made(request, match, found)
  }

  /** How many requests wait until work for them begins. */
  waiting(): number {
    return this.#admission.waiting()
  }

  /** The response from the cache, if it is there. Most requests end here. */
  #cachedResponse(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace?: RequestTrace,
  ): MaybePromise<WorldResponse> | undefined {
    if (lookup?.cached === undefined) return undefined
    const { route, lane, representation } = lookup.cached
    if (trace) trace.route = route
    return this.#admission.run(lane, request, () => responseFrom(representation, request))
  }

  /**
   * The refusal of what would only be refused later: before the client is known, and before anything is read. Undefined
   * where it may be answered, or where a cache may know the answer.
   */
  #refusedAtOnce(
    request: WorldRequest,
    lookup: Lookup | undefined,
    trace?: RequestTrace,
  ): WorldResponse | undefined {
    const { method, target } = request
    if (this.#admission.waiting() === 0 && this.#refusals.isEmpty()) return undefined
    if (method === 'OPTIONS') return undefined
    if (READ_METHODS.includes(method) && lookup === undefined) return undefined
    const path = pathIn(target)
    const match = path === undefined ? undefined : this.#select(path)
    if (match === undefined || match instanceof WorldFault || match.route.present !== undefined)
      return undefined
    const lane = laneOf(match.route, method)
    const isTooEarly = lane === 'action' && this.#refusals.isTooEarly(request)
    if (!isTooEarly && !this.#admission.isFull(lane, request)) return undefined
    if (trace) traceMatch(trace, match)
    const { fault, id } = this.#failure(request, overloaded())
    const refused = errorResponse(fault, id)
    if (isTooEarly) this.#refusals.postpone(request, waitMsOf(refused))
    return { ...refused, refused: true }
  }

  /** @throws WorldFault the given one, if there is no page in its place */
  async #lost(request: WorldRequest, fault: WorldFault): Promise<WorldResponse> {
    const page = READ_METHODS.includes(request.method) ? this.#options.lost?.(request, fault) : undefined
    if (page === undefined) throw fault
    return responseFrom(await this.#represent(page, formFor(request)), request)
  }

  /** The route at a path, or why there is none. */
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

  /** Lets the route make the response, and caches it where that is allowed. */
  async #made(request: WorldRequest, { route, params }: Match, lookup: Lookup | undefined) {
    const run = methodHandler(route, request.method)
    requireAcceptable(request, route)
    const lane = laneOf(route, request.method)
    const work = async () => {
      const response = await run(request, params, (thrown) => {
        const { fault, id } = this.#failure(request, thrown)
        return errorBody(fault, id)
      })
      const representation = await this.#represent(response, formFor(request))
      if (response.cacheable && lookup) {
        const answer = { route: route.path, lane: lane === 'free' ? lane : 'kept', representation } as const
        this.#options.cache.keep(lookup, response.cacheable, answer)
      }
      return responseFrom(representation, request)
    }
    return this.#admission.run(lane, request, work, announcedBytes(request))
  }

  /** The error body's fault and request id for something thrown. What the body leaves out is logged. */
  #failure({ method, target, headers, signal }: WorldRequest, thrown: unknown) {
    const id = this.#requestId(headers['request-id'])
    const fault = faultFrom(thrown, signal)
    const event = LOGGED.find((code) => code === fault.code)
    // A stack for every request that is refused would be one more load.
    const error = fault.details['reason'] === OVERLOADED ? fault.message : (fault.cause ?? fault)
    if (event !== undefined) this.#options.log?.({ event, requestId: id, method, target, error })
    return { fault, id }
  }
}

/** @throws TypeError for a path that no request could have */
function retiredPrefix(path: string): string {
  if (/^\/[^/?#\s][^?#\s]*$/.test(path)) return `${path.replace(/\/$/, '')}/`
  throw new TypeError(`retiredApiPaths are paths such as /api/world/old; this is ${path}`)
}

/** The path of a target that has one. */
function pathIn(target: string): string | undefined {
  try {
    return splitTarget(target).path
  } catch {
    return undefined
  }
}

/** Bytes of a body that are held in memory at a time, however many it has: more of them are read piece by piece. */
const MAX_HELD_BYTES = 1024 * 1024

function laneOf({ lane }: Route, method: string): Lane {
  return lane ?? (READ_METHODS.includes(method) ? 'list' : 'write')
}

/** How many bytes of a body there will be. One that does not say counts as a large one. */
function announcedBytes({ method, headers }: WorldRequest): number {
  if (READ_METHODS.includes(method)) return 0
  const announced =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MAX_HELD_BYTES
  return Math.min(announced || 0, MAX_HELD_BYTES)
}

function traceMatch(trace: RequestTrace, match: Match | WorldFault): void {
  if (match instanceof WorldFault) return
  trace.route = match.route.path
  const { action } = match.params
  if (action !== undefined) trace.action = action
}

/** In how many milliseconds a refused client is asked to come again. */
function waitMsOf({ headers }: WorldResponse): number {
  return Number(headers['retry-after']) * 1_000
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

function withoutBody({ status, headers }: WorldResponse): WorldResponse {
  return { status, headers }
}
