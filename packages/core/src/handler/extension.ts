/** Extension interface. Every capability beyond Level 1 is a function that is called once per world. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise, Source, Store } from '../store/contract.ts'
import type { Action, Caller, EntityWrites, ReadTypes } from '../world/action.ts'
import type { Authentication } from '../world/discovery-document.ts'
import type { WorldFault } from '../world/errors.ts'
import type { World } from '../world/world.ts'
import type { Discovery } from './discovery-route.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import type { levelOneRoutes } from './level-one.ts'
import type { Origins } from './origins.ts'

/** Adds a capability to a world: `createWorld({ …, extensions: [query(), changes()] })`. */
export type Extension = (mount: Mount) => Capability

/** Answers a request. The response object is not shared with other requests. */
export type Handle = (request: WorldRequest) => MaybePromise<WorldResponse>

/**
 * The world that an extension is mounted on, with its URLs. During mounting, later extensions are still missing, so
 * functions that depend on all extensions must be called only while handling a request.
 */
export interface Mount extends Origins {
  readonly world: World
  readonly source: Source
  /** The source as a store. Reading this throws a TypeError if the source takes no writes, so read it while mounting. */
  readonly store: Store
  /** Returns the Level 1 routes (lists, entities, actions) under a different path, for an API that extends Level 1. */
  levelOne(path: string): ReturnType<typeof levelOneRoutes>
  /** Returns all routes of the world, Level 1 first. */
  routes(): readonly Route[]
  readonly discovery: Discovery
  /** Returns the caller of a request, if known. Authenticates each request only once. */
  callerOf(request: WorldRequest): Promise<Caller | undefined>
  /** Returns the combined `admit` of all extensions, or undefined if anyone may read. */
  admission(): Capability['admit']
}

/** An extension's contributions to a world. Hooks run in the order of the extensions. */
export interface Capability {
  /** Unique name, such as `worldwright:changes`. Also the member name of the extension under `extensions` in discovery. */
  readonly name: string
  /** Actions, listed in discovery after `wp:discover` and before the world's own. */
  readonly actions?: readonly Action[]
  /** Extends `wp:discover`, such as by a member of its input. Receives the action as earlier extensions left it. */
  discover?(action: Action): Action
  /** Routes, which must not overlap those of other extensions. */
  readonly routes?: readonly Route[]
  /**
   * Returns the extension's member of `extensions` in discovery, or undefined to omit it. `types` are the listed types.
   * Called again after the store has changed; must return a new object if its content has changed.
   */
  declares?(types: readonly EntityTypeDescription[]): MaybePromise<JsonObject | undefined>
  /** Returns the caller of a request, or undefined for unknown credentials. */
  authenticate?(request: WorldRequest): MaybePromise<Caller | undefined>
  /**
   * Refuses a request by throwing a WorldFault (`unauthenticated`, `forbidden`). Called for every method except OPTIONS,
   * even for paths without a route, but not for `open` routes such as discovery. Called again for a safe action, once its
   * input is known. See `Route.reads` for `reads`.
   */
  admit?(request: WorldRequest, reads: () => ReadTypes): MaybePromise<void>
  /** Refuses an action call by throwing, as `admit` does. If no extension has this hook, only safe actions can be called. */
  admitCall?(request: WorldRequest, action: Action['description']): MaybePromise<void>
  /** Writes entities on behalf of actions. If no extension provides this, the world's actions cannot write. */
  readonly writes?: EntityWrites | undefined
  /** The `authentication` member of discovery. If no extension provides one, reads need no token. */
  readonly authentication?: Authentication | undefined
  /** Types that discovery lists. Required only if some types are not public. */
  readonly listedTypes?: readonly EntityTypeDescription[] | undefined
  /** Returns a page to replace the error body for an unknown path, or undefined to ask the next extension. */
  notFound?(request: WorldRequest, fault: WorldFault): MaybePromise<WorldResponse | undefined>
  /** Wraps the world's handler. The wrapper sees requests first and responses last. Later extensions wrap earlier ones. */
  around?(handle: Handle): Handle
  /** Called by the world's `open`, before the first request. */
  open?(): MaybePromise<void>
  /** Called by the world's `close`, after the last request. Extensions are closed in the reverse order of opening. */
  close?(): MaybePromise<void>
}
