/** Creates a world's request handler: one function from a request to a response, both plain data. */
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
import { createIdentification } from './request-id.ts'
import { type CacheStatistics, ResponseCache } from './response-cache.ts'
import { createRouter, meetingRoute, type Router } from './router.ts'

/** A world that can handle requests. Adapters connect it to a socket or to `fetch`. */
export interface WorldHandler {
  /**
   * Answers a request. Never throws or rejects, and never shares a response object between requests. A cached response is
   * returned synchronously if the store is synchronous.
   */
  readonly handle: Handle
  /** Returns the current revision of the discovery document for `origin`, which defaults to the configured origin. */
  revision(origin?: string): Promise<string>
  /** All routes of the world, Level 1 first. */
  readonly routes: readonly Route[]
  /** True if the adapter must set the origin of each request: the options have neither `publicUrl` nor `trustProxy`. */
  readonly needsOrigin: boolean
  /** Opens the extensions. Must be called before the first request if any extension has an `open` hook. */
  open(): Promise<void>
  /** Closes the extensions after the last request. Does not close the store. */
  close(): Promise<void>
  /** Returns the hits, misses and size of the response cache. */
  cacheStatistics(): CacheStatistics
}

/** Default cache size, in bytes: enough for a few thousand pages or tens of thousands of entities. */
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Creates the handler of a world.
 * @throws TypeError that names the invalid option or the two conflicting extensions
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
    source: store,
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
    store,
    admit: mounted.admit,
    notFound: (request, fault) => mounted.notFound(request, fault),
  })
  const answer: Handle = observe
    ? observed(dispatcher, mounted.actions, observe)
    : (request) => dispatcher.respond(request)
  const handle = mounted.around(withPrivateCaching(answer), (request, thrown) =>
    dispatcher.failed(request, thrown),
  )
  const identified = createIdentification()
  return {
    handle: (request) => handle(identified(request)),
    revision: async (origin) =>
      (await discovery({ method: 'GET', target: '', headers: {}, origin })).document.revision,
    routes,
    needsOrigin: origins.publicUrl === undefined && options.trustProxy !== true,
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
      // Report only names of existing actions: callers may send arbitrary names.
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
