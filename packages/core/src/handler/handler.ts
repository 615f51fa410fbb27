/** The single function that answers every request: `handle(request)` returns a response; both are plain data. */
import { WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { Source, Store } from '../store/contract.ts'
import type { Actions } from '../world/action.ts'
import { World } from '../world/world.ts'
import { andThen } from './and-then.ts'
import { createDiscovery } from './discovery-route.ts'
import { Dispatcher, type RequestTrace } from './dispatcher.ts'
import type { Handle, Mount } from './extension.ts'
import type { Route } from './http.ts'
import { levelOneRoutes } from './level-one.ts'
import { MountedExtensions } from './mounted-extensions.ts'
import { component, type Operation } from './operation.ts'
import type { WorldOptions } from './options.ts'
import { createOrigins } from './origins.ts'
import { withPrivateCaching } from './private-caching.ts'
import { createForms } from './representation.ts'
import { type CacheStatistics, ResponseCache } from './response-cache.ts'
import { createRouter, meetingRoute, type Router } from './router.ts'

/** A world, ready to answer. Adapters put it on a socket or behind `fetch`. */
export interface WorldHandler {
  /**
   * Answers any request with a response that no other request shares; never throws or rejects. A cached answer is returned
   * synchronously if the store is synchronous.
   */
  readonly handle: Handle
  /** Returns the current revision of the discovery document at an origin, by default the configured one. */
  revision(origin?: string): Promise<string>
  /** All routes of the world, Level 1 first. */
  readonly routes: readonly Route[]
  /** Opens the extensions, before the first request. Not needed if no extension has to be opened. */
  open(): Promise<void>
  /** Closes the extensions, after the last request. The store stays open. */
  close(): Promise<void>
  /** Returns hits, misses and size of the representation cache. */
  cacheStatistics(): CacheStatistics
}

/** Default cache size, in bytes: a few thousand pages or tens of thousands of entities, enough for what is requested often. */
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Creates the handler of a world.
 * @throws TypeError for options that cannot work, naming the option; for extensions that conflict, naming both
 */
export function createWorld(options: WorldOptions): WorldHandler {
  const { id, name, description, license, attribution, types, store, observe } = options
  if (!URL.canParse(id)) throw new TypeError(`A world's id is an absolute URI; it is ${id}`)
  const origins = createOrigins(options)
  const { apiPath } = origins
  const world = new World({ id, name, description, license, attribution, types }, store)
  const mount: Mount = {
    ...origins,
    world,
    get store() {
      return storeIn(store)
    },
    levelOne: (path) => levelOneRoutes({ world, host: () => mounted, apiPath: path }),
    routes: () => routes,
    discovery: (request) => discovery(request),
    callerOf: (request) => mounted.callerOf(request),
    admission: () => mounted.admit,
  }
  const mounted = new MountedExtensions(mount, options)
  const discovery = createDiscovery({ world, apiUrl: origins.apiUrl, extensions: mounted })
  const own: Route[] = [
    {
      path: WELL_KNOWN_PATH,
      open: true,
      lane: 'free',
      operations: { GET: DISCOVERY },
      methods: { GET: discovery },
    },
    ...mount.levelOne(apiPath),
  ]
  const routes = [...own, ...mounted.routes]
  const formOf = createForms(options.codings ?? [])
  const cache = new ResponseCache(store, options.cacheBytes ?? CACHE_BYTES, formOf)
  const dispatcher = new Dispatcher({
    ...options,
    router: routerOf(own, mounted.routes, apiPath),
    cache,
    formOf,
    storage: store,
    admit: mounted.admit,
    notFound: (request, fault) => mounted.notFound(request, fault),
  })
  const answer: Handle = observe
    ? observed(dispatcher, mounted.actions, observe)
    : (request) => dispatcher.respond(request)
  return {
    handle: mounted.around(withPrivateCaching(answer), (request, thrown) =>
      dispatcher.failed(request, thrown),
    ),
    revision: async (origin) =>
      (await discovery({ method: 'GET', target: '', headers: {}, origin })).document.revision,
    routes,
    open: () => mounted.open(),
    close: () => mounted.close(),
    cacheStatistics: () => cache.statistics(),
  }
}

/** @throws TypeError for a source that takes no writes */
function storeIn(source: Source): Store {
  if ('write' in source) return source as Store
  throw new TypeError('An extension needs a store that takes writes, and this world has a source')
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
): Handle {
  return (request) => {
    const startedAt = performance.now()
    const trace: RequestTrace = { route: '' }
    return andThen(dispatcher.respond(request, trace), (response) => {
      const ms = performance.now() - startedAt
      // Reports only action names that the world has: callers may send any.
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
