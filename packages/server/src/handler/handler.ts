/** The one function that answers every request: `handle(request)` gives a response, both plain data. */
import { type EntityTypeDescription, WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { MaybePromise, Storage } from '../storage/contract.ts'
import type { Authentication } from '../world/discovery-document.ts'
import { errorBody, WorldFault } from '../world/errors.ts'
import { MAX_TARGET_BYTES } from '../world/limits.ts'
import { createWorldView, type WorldDescription } from '../world/world.ts'
import { createDiscovery, type Extensions } from './discovery-route.ts'
import { errorResponse, faultFrom, optionsResponse } from './error-response.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import { levelOneRoutes } from './level-one.ts'
import { methodHandler, methodsOf, READ_METHODS } from './methods.ts'
import { acceptsJson, acceptsType } from './negotiate.ts'
import { createOrigins, type OriginOptions } from './origins.ts'
import { withPrivateCaching } from './private-caching.ts'
import { createRepresentations, formFor, responseFrom } from './representation.ts'
import { createRequestIds, givenId } from './request-id.ts'
import { type CacheStatistics, createResponseCache } from './response-cache.ts'
import { createRouter, type Match, meetingRoute, splitTarget } from './routes.ts'

/** Something an operator should see. `error` holds what an `internal_error` keeps from the client. */
export interface LogEvent {
  readonly event: 'internal_error' | 'unavailable'
  readonly requestId: string
  readonly method: string
  readonly target: string
  readonly error: unknown
}

/** An answered request, for metrics. */
export interface Observation {
  /** The path of the route that answered, as a pattern; empty where there is none. */
  readonly route: string
  readonly method: string
  readonly status: number
  /** Until the answer could be sent, in milliseconds. */
  readonly ms: number
}

/** How a world is served. */
export interface WorldOptions extends OriginOptions {
  /** Earlier paths of the API: everything below them answers 410 `api_moved`. */
  readonly retiredApiPaths?: readonly string[]
  /** Routes beyond Level 1, by whoever composes the world. */
  readonly routes?: readonly Route[]
  /**
   * What those routes and actions are, for `extensions` in the discovery document: fixed, or asked again whenever the
   * store has changed.
   */
  readonly extensions?: Extensions
  /** What discovery says of tokens. By default reads need none. */
  readonly authentication?: Authentication
  /** Bytes of ready responses to keep in memory; 0 keeps none. Default 32 MiB. */
  readonly cacheBytes?: number
  /**
   * Decides whether a request may be answered, by throwing a WorldFault (`unauthenticated`, `forbidden`) where not.
   * Asked for every method but OPTIONS, also where nothing is, and not on routes that are `open`, as discovery is.
   * Absent: everybody may read.
   */
  readonly admit?: (request: WorldRequest) => MaybePromise<void>
  /** The types discovery lists, where that is not for everybody to know all. Absent: all. */
  readonly listedTypes?: readonly EntityTypeDescription[]
  /** Told of every answered request. What the adapter refuses by itself is not among them. */
  readonly observe?: (seen: Observation) => void
  readonly log?: (event: LogEvent) => void
}

/** A world, ready to answer. Adapters put it on a socket or behind `fetch`. */
export interface WorldHandler {
  /** Answers any request; never throws or rejects. A ready response comes at once, without a promise. */
  handle(request: WorldRequest): MaybePromise<WorldResponse>
  /** The revision of the discovery document that is served now at an origin, by default the configured one. */
  revision(origin?: string): Promise<string>
  /** How the cache of ready responses does. */
  cacheStatistics(): CacheStatistics
}

/** A few thousand pages or tens of thousands of entities: what is asked for again and again fits. */
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Makes the handler of a world from what it is and where its entities are kept.
 * @throws TypeError for options that cannot work, naming the option.
 */
export function createWorld(
  description: WorldDescription,
  storage: Storage,
  options: WorldOptions = {},
): WorldHandler {
  if (!URL.canParse(description.id)) {
    throw new TypeError(`A world's id is an absolute URI; it is ${description.id}`)
  }
  const origins = createOrigins(options)
  const world = createWorldView(description, storage)
  const discovery = createDiscovery({
    world,
    apiUrl: origins.apiUrl,
    extensions: options.extensions ?? {},
    ...(options.listedTypes && { listedTypes: options.listedTypes }),
    authentication: options.authentication ?? { required: false, schemes: [] },
  })
  const levelOne: Route[] = [
    { path: WELL_KNOWN_PATH, open: true, methods: { GET: discovery } },
    ...levelOneRoutes({ world, apiPath: origins.apiPath }),
  ]
  const cache = createResponseCache(storage, options.cacheBytes ?? CACHE_BYTES)
  const further = options.routes ?? []
  const meeting = meetingRoute(further, levelOne)
  if (meeting)
    throw new TypeError(`The API at ${origins.apiPath} would stand where ${meeting.path} is: apiUrl`)
  const route = createRouter([...levelOne, ...further])
  const retired = (options.retiredApiPaths ?? []).map((path) => `${path.replace(/\/$/, '')}/`)
  const requestId = createRequestIds()
  const representationOf = createRepresentations()

  /** Who answers at a path, or why nobody does, which is told to those alone who may be answered. */
  function select(path: string): Match | WorldFault {
    if (retired.some((prefix) => `${path}/`.startsWith(prefix))) {
      return new WorldFault('api_moved', 'The API has moved. Read the discovery document again to find it.')
    }
    try {
      return route(path) ?? nothingAt(path)
    } catch (thrown) {
      return faultFrom(thrown)
    }
  }

  async function answer(
    request: WorldRequest,
    version: string,
    trace?: RequestTrace,
  ): Promise<WorldResponse> {
    const id = givenId(request.headers['request-id'])
    if (request.target === '*' && request.method === 'OPTIONS') return optionsResponse(READ_METHODS, id)
    if (request.target.length > MAX_TARGET_BYTES) {
      throw new WorldFault('uri_too_long', `A request target may have ${MAX_TARGET_BYTES} bytes at most.`, {
        maxBytes: MAX_TARGET_BYTES,
      })
    }
    const { path } = splitTarget(request.target)
    const selected = select(path)
    const present = selected instanceof WorldFault ? undefined : selected.route.present
    const match = present === undefined || (await present()) ? selected : nothingAt(path)
    const found = match instanceof WorldFault ? undefined : match.route
    if (trace) trace.route = found?.path ?? ''
    if (request.method === 'OPTIONS') return optionsResponse(found ? methodsOf(found) : READ_METHODS, id)
    if (options.admit && !found?.open) {
      await options.admit(request)
      const ready = readyAnswer(request, version)
      if (ready) return ready
    }
    if (match instanceof WorldFault) throw match
    const run = methodHandler(match.route, request.method)
    if (
      !acceptsJson(request.headers['accept']) &&
      !acceptsType(request.headers['accept'], match.route.answers)
    ) {
      throw new WorldFault('not_acceptable', 'This API answers in application/json, which Accept excludes.', {
        supported: ['application/json'],
      })
    }
    const response = await run(request, match.params, (thrown) => {
      const { fault, id } = failure(request, thrown)
      return errorBody(fault, id)
    })
    const ready = await representationOf(response, formFor(request))
    if (response.cacheable !== undefined)
      await cache.keep(request, version, { ...response.cacheable, route: match.route.path }, ready)
    return responseFrom(ready, request, id)
  }

  /** What the caller is told of something thrown, and under which id; what is kept from it is logged. */
  function failure({ method, target, headers }: WorldRequest, thrown: unknown) {
    const id = requestId(headers['request-id'])
    const fault = faultFrom(thrown)
    if (fault.code === 'internal_error' || fault.code === 'unavailable')
      options.log?.({ event: fault.code, requestId: id, method, target, error: fault.cause ?? fault })
    return { fault, id }
  }

  async function answerOrFail(
    request: WorldRequest,
    version: MaybePromise<string>,
    trace?: RequestTrace,
  ): Promise<WorldResponse> {
    try {
      return await answer(request, await version, trace)
    } catch (thrown) {
      const { fault, id } = failure(request, thrown)
      return errorResponse(fault, id)
    }
  }

  /** The ready answer where there is one: the path most requests take, and therefore one without promises. */
  function readyAnswer(
    request: WorldRequest,
    version: string,
    trace?: RequestTrace,
  ): WorldResponse | undefined {
    const { method, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || !acceptsJson(headers['accept'])) return undefined
    const kept = cache.find(request, version)
    if (kept === undefined) return undefined
    if (trace) trace.route = kept.route
    return responseFrom(kept.ready, request, givenId(headers['request-id']))
  }

  function respond(request: WorldRequest, trace?: RequestTrace): MaybePromise<WorldResponse> {
    const version = versionOf(storage)
    const isAdmitted = options.admit === undefined
    const ready = isAdmitted && typeof version === 'string' ? readyAnswer(request, version, trace) : undefined
    if (ready !== undefined) return request.method === 'HEAD' ? withoutBody(ready) : ready
    const answered = answerOrFail(request, version, trace)
    return request.method === 'HEAD' ? answered.then(withoutBody) : answered
  }

  return {
    handle: withPrivateCaching(
      options.observe ? observed(respond, options.observe) : (request) => respond(request),
    ),
    revision: async (origin) =>
      (await discovery({ method: 'GET', target: '', headers: {}, origin })).revision,
    cacheStatistics: () => cache.statistics(),
  }
}

/** What is found out about a request while it is answered. */
interface RequestTrace {
  route: string
}

type Respond = (request: WorldRequest, trace?: RequestTrace) => MaybePromise<WorldResponse>

function observed(respond: Respond, observe: (seen: Observation) => void): WorldHandler['handle'] {
  return (request) => {
    const startedAt = performance.now()
    const trace = { route: '' }
    const tell = (response: WorldResponse) => {
      const ms = performance.now() - startedAt
      observe({ route: trace.route, method: request.method, status: response.status, ms })
      return response
    }
    const response = respond(request, trace)
    return response instanceof Promise ? response.then(tell) : tell(response)
  }
}

function nothingAt(path: string): WorldFault {
  return new WorldFault('not_found', 'There is nothing at this path.', { path })
}

/** A store that fails at once fails like one that fails later: where the request is answered. */
function versionOf(storage: Pick<Storage, 'version'>): MaybePromise<string> {
  try {
    return storage.version()
  } catch (error) {
    return Promise.reject(error)
  }
}

function withoutBody({ status, headers }: WorldResponse): WorldResponse {
  return { status, headers }
}
