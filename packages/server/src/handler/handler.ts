/** The one function that answers every request: `handle(request)` gives a response, both plain data. */
import { WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { MaybePromise, Storage } from '../storage/contract.ts'
import type { Actions } from '../world/action.ts'
import { actionsOf } from '../world/query/own-actions.ts'
import { queryExtension } from '../world/query/query-extension.ts'
import { World, type WorldDescription } from '../world/world.ts'
import { andThen } from './and-then.ts'
import { createDiscovery } from './discovery-route.ts'
import { Dispatcher, type RequestTrace } from './dispatcher.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import { levelOneRoutes } from './level-one.ts'
import { component, type Operation } from './operation.ts'
import type { WorldOptions } from './options.ts'
import { createOrigins } from './origins.ts'
import { withPrivateCaching } from './private-caching.ts'
import { type CacheStatistics, ResponseCache } from './response-cache.ts'
import { createRouter, meetingRoute, type Router } from './router.ts'

/** A world, ready to answer. Adapters put it on a socket or behind `fetch`. */
export interface WorldHandler {
  /**
   * Answers any request, with a response of its own; never throws or rejects. A kept answer comes without a promise, if the store
   * needs none.
   */
  handle(request: WorldRequest): MaybePromise<WorldResponse>
  /** The revision of the discovery document that is served now at an origin, by default the configured one. */
  revision(origin?: string): Promise<string>
  /** Everything it answers at, Level 1 first. */
  readonly routes: readonly Route[]
  /** How many requests wait until work for them begins. */
  waiting(): number
  /** How the cache of representations does. */
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
  const { apiPath, apiUrl } = createOrigins(options)
  const world = new World(description, storage)
  const actions = actionsOf(options.actions)
  const discovery = createDiscovery({
    world,
    actions,
    apiUrl,
    extensions: options.extensions ?? {},
    extensionOf: queryExtension,
    ...(options.listedTypes && { listedTypes: options.listedTypes }),
    authentication: options.authentication ?? { required: false, schemes: [] },
  })
  const { routes = [] } = options
  const further = typeof routes === 'function' ? routes(apiPath) : routes
  const own: Route[] = [
    {
      path: WELL_KNOWN_PATH,
      open: true,
      lane: 'free',
      operations: { GET: DISCOVERY },
      methods: { GET: discovery },
    },
    ...levelOneRoutes({ ...options, world, actions, apiPath }),
  ]
  const cache = new ResponseCache(storage, options.cacheBytes ?? CACHE_BYTES)
  const router = routerOf(own, further, apiPath)
  const dispatcher = new Dispatcher({ ...options, router, cache, storage })
  return {
    handle: withPrivateCaching(
      options.observe
        ? observed(dispatcher, actions, options.observe)
        : (request) => dispatcher.respond(request),
    ),
    revision: async (origin) =>
      (await discovery({ method: 'GET', target: '', headers: {}, origin })).revision,
    routes: [...own, ...further],
    waiting: () => dispatcher.waiting(),
    cacheStatistics: () => cache.statistics(),
  }
}

const DISCOVERY: Operation = {
  id: 'discovery',
  summary: 'The discovery document: what the world is, and where its API stands',
  answers: {
    200: { description: 'The document.', content: { 'application/json': component('Discovery') } },
  },
  errors: [],
}

function routerOf(own: readonly Route[], further: readonly Route[], apiPath: string): Router {
  const meeting = meetingRoute(further, own)
  if (meeting) throw new TypeError(`The API at ${apiPath} would stand where ${meeting.path} is: apiUrl`)
  return createRouter([...own, ...further])
}

function observed(
  dispatcher: Dispatcher,
  actions: Actions,
  observe: NonNullable<WorldOptions['observe']>,
): WorldHandler['handle'] {
  return (request) => {
    const startedAt = performance.now()
    const trace: RequestTrace = { route: '' }
    return andThen(dispatcher.respond(request, trace), (response) => {
      const ms = performance.now() - startedAt
      // Only names that the world has: callers may send any.
      const action = trace.action === undefined ? undefined : actions.get(trace.action)?.description.name
      observe({
        request,
        route: trace.route,
        method: request.method,
        status: response.status,
        ms,
        ...(action && { action }),
      })
      return response
    })
  }
}
