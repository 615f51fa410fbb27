/** The one function that answers every request: `handle(request)` gives a response, both plain data. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Storage } from '../storage/contract.ts'
import { WorldFault } from '../world/errors.ts'
import { MAX_TARGET_BYTES } from '../world/limits.ts'
import { createWorldView, type WorldDescription } from '../world/world.ts'
import { COMMON_HEADERS, errorResponse, faultFrom, JSON_POLICY, optionsResponse } from './answer.ts'
import { CODINGS, encodeBody, MIN_CODED_BYTES } from './content-coding.ts'
import type { Route, RouteHandler, WorldRequest, WorldResponse } from './http.ts'
import { levelOneRoutes } from './level-one.ts'
import { acceptsJson, contentCoding, matchesTag } from './negotiate.ts'
import { createOrigins, type OriginOptions } from './origins.ts'
import { createRequestIds } from './request-id.ts'
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
  /** What those routes and actions are, for `extensions` in the discovery document. */
  readonly extensions?: Readonly<Record<string, JsonObject>>
  readonly log?: (event: LogEvent) => void
}

/** A world, ready to answer. Adapters put it on a socket or behind `fetch`. */
export interface WorldHandler {
  /** Answers any request; never rejects. */
  handle(request: WorldRequest): Promise<WorldResponse>
}

/**
 * Makes the handler of a world from what it is and where its entities are kept.
 * @throws TypeError for options that cannot work, naming the option.
 */
export function createWorld(
  description: WorldDescription,
  storage: Storage,
  options: WorldOptions = {},
): WorldHandler {
  if (!URL.canParse(description.id))
    throw new TypeError(`A world's id is an absolute URI; it is ${description.id}`)
  const origins = createOrigins(options)
  const world = createWorldView(description, storage)
  const levelOne = levelOneRoutes({
    world,
    apiPath: origins.apiPath,
    apiUrl: origins.apiUrl,
    extensions: options.extensions ?? {},
  })
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

  async function answer(request: WorldRequest, id: string): Promise<WorldResponse> {
    if (request.target === '*') return optionsResponse(READ_METHODS, id)
    if (request.target.length > MAX_TARGET_BYTES) {
      throw new WorldFault('uri_too_long', `A request target may have ${MAX_TARGET_BYTES} bytes at most.`, {
        maxBytes: MAX_TARGET_BYTES,
      })
    }
    const { path } = splitTarget(request.target)
    if (request.method === 'OPTIONS')
      return optionsResponse(
        allowedAt(() => select(path)),
        id,
      )
    const match = select(path)
    const run = methodHandler(match.route, request.method)
    if (!acceptsJson(request.headers['accept'])) {
      throw new WorldFault('not_acceptable', 'This API answers in application/json, which Accept excludes.', {
        supported: ['application/json'],
      })
    }
    return finish(request, await run(request, match.params), id)
  }

  return {
    async handle(request) {
      const id = requestId(request.headers['request-id'])
      let response: WorldResponse
      try {
        response = await answer(request, id)
      } catch (thrown) {
        const fault = faultFrom(thrown)
        if (fault.code === 'internal_error' || fault.code === 'unavailable') {
          const { method, target } = request
          options.log?.({ event: fault.code, requestId: id, method, target, error: fault.cause ?? fault })
        }
        response = errorResponse(fault, id)
      }
      if (request.method !== 'HEAD') return response
      return { status: response.status, headers: response.headers }
    },
  }
}

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** What a route allows: its methods, HEAD with GET, and OPTIONS everywhere. */
function methodsOf(route: Route): string[] {
  const own = Object.keys(route.methods)
  return [...own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
}

/** The methods OPTIONS names: the route's, or on a path without one those every resource here has. */
function allowedAt(select: () => Match): readonly string[] {
  try {
    return methodsOf(select().route)
  } catch {
    return READ_METHODS
  }
}

function methodHandler(route: Route, method: string): RouteHandler {
  const name = method === 'HEAD' ? 'GET' : method
  const run = Object.hasOwn(route.methods, name) ? route.methods[name] : undefined
  if (run !== undefined) return run
  const allowed = methodsOf(route)
  throw new WorldFault(
    'method_not_allowed',
    `${method} does nothing here; ${allowed.join(', ')} do.`,
    { method, allowed },
    { allow: allowed.join(', ') },
  )
}

/** Gives a route's answer what HTTP adds to it: common fields, 304, a content coding, its length. */
async function finish(request: WorldRequest, response: WorldResponse, id: string): Promise<WorldResponse> {
  const { body } = response
  const headers = {
    ...COMMON_HEADERS,
    'content-security-policy': JSON_POLICY,
    'request-id': id,
    vary: 'Accept-Encoding',
    ...response.headers,
  }
  const { etag, 'content-type': _, ...unchanged } = headers as Record<string, string>
  if (etag !== undefined && response.status === 200 && matchesTag(request.headers['if-none-match'], etag)) {
    return { status: 304, headers: { ...unchanged, etag } }
  }
  if (body === undefined || (typeof body !== 'string' && !(body instanceof Uint8Array))) {
    return { ...response, headers }
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const coding =
    bytes.byteLength < MIN_CODED_BYTES
      ? undefined
      : contentCoding(request.headers['accept-encoding'], CODINGS)
  if (coding === undefined) {
    return { ...response, headers: { ...headers, 'content-length': String(bytes.byteLength) }, body: bytes }
  }
  const coded = await encodeBody(bytes, coding)
  const length = String(coded.byteLength)
  return {
    ...response,
    headers: { ...headers, 'content-encoding': coding, 'content-length': length },
    body: coded,
  }
}
