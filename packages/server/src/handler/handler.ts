/** The one function that answers every request: `handle(request)` gives a response, both plain data. */
import type { MaybePromise, Storage } from '../storage/contract.ts'
import type { Authentication } from '../world/discovery.ts'
import { WorldFault } from '../world/errors.ts'
import { MAX_TARGET_BYTES } from '../world/limits.ts'
import { createWorldView, type WorldDescription } from '../world/world.ts'
import { errorResponse, faultFrom, optionsResponse } from './answer.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import { type Extensions, levelOneRoutes } from './level-one.ts'
import { allowedAt, methodHandler, READ_METHODS } from './methods.ts'
import { acceptsJson, acceptsType } from './negotiate.ts'
import { createOrigins, type OriginOptions } from './origins.ts'
import { answerFrom, formFor, makeReady } from './ready.ts'
import { createRequestIds, givenId } from './request-id.ts'
import { type CacheStatistics, createResponseCache } from './response-cache.ts'
import { createRouter, type Match, splitTarget } from './routes.ts'

/** Something an operator should see. `error` holds what an `internal_error` keeps from the client. */
export interface LogEvent {
  readonly event: 'internal_error' | 'unavailable'
  readonly requestId: string
  readonly method: string
  readonly target: string
  readonly error: unknown
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
   * Asked for every path and method but OPTIONS, before anything else. Absent: everybody may read.
   */
  readonly admit?: (request: WorldRequest, path: string) => MaybePromise<void>
  readonly log?: (event: LogEvent) => void
}

/** A world, ready to answer. Adapters put it on a socket or behind `fetch`. */
export interface WorldHandler {
  /** Answers any request; never throws or rejects. A ready response comes at once, without a promise. */
  handle(request: WorldRequest): MaybePromise<WorldResponse>
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
  const levelOne = levelOneRoutes({
    world,
    apiPath: origins.apiPath,
    apiUrl: origins.apiUrl,
    extensions: options.extensions ?? {},
    authentication: options.authentication ?? { required: false, schemes: [] },
  })
  const cache = createResponseCache(storage, options.cacheBytes ?? CACHE_BYTES)
  const route = createRouter([...levelOne, ...(options.routes ?? [])])
  const retired = (options.retiredApiPaths ?? []).map((path) => `${path.replace(/\/$/, '')}/`)
  const requestId = createRequestIds()

  /** Finds who answers, or fails with the reason why nobody does. */
  function select(path: string): Match {
    if (retired.some((prefix) => `${path}/`.startsWith(prefix))) {
      throw new WorldFault('api_moved', 'The API has moved. Read the discovery document again to find it.')
    }
    const match = route(path)
    if (match !== undefined) return match
    throw new WorldFault('not_found', 'There is nothing at this path.', { path })
  }

  async function answer(request: WorldRequest, version: string): Promise<WorldResponse> {
    const id = givenId(request.headers['request-id'])
    if (request.target === '*' && request.method === 'OPTIONS') return optionsResponse(READ_METHODS, id)
    if (request.target.length > MAX_TARGET_BYTES) {
      throw new WorldFault('uri_too_long', `A request target may have ${MAX_TARGET_BYTES} bytes at most.`, {
        maxBytes: MAX_TARGET_BYTES,
      })
    }
    const { path } = splitTarget(request.target)
    if (request.method === 'OPTIONS')
      return optionsResponse(
        allowedAt(() => select(path).route),
        id,
      )
    await options.admit?.(request, path)
    const match = select(path)
    const run = methodHandler(match.route, request.method)
    if (
      !acceptsJson(request.headers['accept']) &&
      !acceptsType(request.headers['accept'], match.route.answers)
    ) {
      throw new WorldFault('not_acceptable', 'This API answers in application/json, which Accept excludes.', {
        supported: ['application/json'],
      })
    }
    const response = await run(request, match.params)
    const ready = await makeReady(response, formFor(request))
    if (response.reusable !== undefined) await cache.keep(request, version, response.reusable, ready)
    return answerFrom(ready, request, id)
  }

  async function answerOrFail(request: WorldRequest, version: MaybePromise<string>): Promise<WorldResponse> {
    try {
      return await answer(request, await version)
    } catch (thrown) {
      const id = requestId(request.headers['request-id'])
      const fault = faultFrom(thrown)
      if (fault.code === 'internal_error' || fault.code === 'unavailable') {
        const { method, target } = request
        options.log?.({ event: fault.code, requestId: id, method, target, error: fault.cause ?? fault })
      }
      return errorResponse(fault, id)
    }
  }

  /** The ready answer where there is one: the path most requests take, and therefore one without promises. */
  function readyAnswer(request: WorldRequest, version: MaybePromise<string>): WorldResponse | undefined {
    if (typeof version !== 'string' || options.admit !== undefined) return undefined
    const { method, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || !acceptsJson(headers['accept'])) return undefined
    const ready = cache.find(request, version)
    return ready && answerFrom(ready, request, givenId(headers['request-id']))
  }

  return {
    handle(request) {
      const version = versionOf(storage)
      const ready = readyAnswer(request, version)
      if (ready !== undefined) return request.method === 'HEAD' ? withoutBody(ready) : ready
      const answered = answerOrFail(request, version)
      return request.method === 'HEAD' ? answered.then(withoutBody) : answered
    },
    cacheStatistics: () => cache.statistics(),
  }
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
