/** The interface of every capability beyond Level 1: one function, called once for each world that has it. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise, Store } from '../store/contract.ts'
import type { Action, Caller, EntityWrites, ReadTypes } from '../world/action.ts'
import type { Authentication } from '../world/discovery-document.ts'
import type { WorldFault } from '../world/errors.ts'
import type { World } from '../world/world.ts'
import type { Discovery } from './discovery-route.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import type { levelOneRoutes } from './level-one.ts'
import type { Origins } from './origins.ts'

/** A capability of a world: `createWorld({ …, extensions: [query(), changes()] })`. */
export type Extension = (mount: Mount) => Capability

/** Answers any request with a response that no other request shares. */
export type Handle = (request: WorldRequest) => MaybePromise<WorldResponse>

/**
 * World that an extension is mounted on, and the addresses of its parts. Later extensions are not mounted yet: functions
 * whose results depend on them are called per request, never during mounting.
 */
export interface Mount extends Origins {
  readonly world: World
  readonly store: Store
  /** Returns the Level 1 routes (lists, entities, actions) at another path, for an API that adds to them. */
  levelOne(path: string): ReturnType<typeof levelOneRoutes>
  /** Returns all routes of the world, Level 1 first. */
  routes(): readonly Route[]
  readonly discovery: Discovery
  /** Returns the caller of a request. Authenticates each request once. */
  callerOf(request: WorldRequest): Promise<Caller | undefined>
  /** Returns the combined `admit` of all extensions. Undefined: anyone may read. */
  admission(): Capability['admit']
}

/** Everything that an extension adds to a world. Hooks of several extensions run in the order of the extensions. */
export interface Capability {
  /** Unique in its world, such as `worldwright:changes`; the name of its member of `extensions` in discovery. */
  readonly name: string
  /** Listed in discovery after `wp:discover`, before the world's own. */
  readonly actions?: readonly Action[]
  /** Routes; none may overlap a route of another extension. */
  readonly routes?: readonly Route[]
  /**
   * Returns its member of `extensions` in discovery, for the types that are listed there. Called again after the store has
   * changed; a member that differs is a new object. Undefined hides it.
   */
  declares?(types: readonly EntityTypeDescription[]): MaybePromise<JsonObject | undefined>
  /** Returns the caller of a request, or undefined for unknown credentials. */
  authenticate?(request: WorldRequest): MaybePromise<Caller | undefined>
  /**
   * Refuses a request by throwing a WorldFault (`unauthenticated`, `forbidden`). Called for every method but OPTIONS,
   * also for paths without a route, but not for `open` routes such as discovery; again with the input of a safe action.
   * `reads`: see `Route.reads`.
   */
  admit?(request: WorldRequest, reads: () => ReadTypes): MaybePromise<void>
  /** Refuses the call of an action, as `admit` does. If no extension has it, only safe actions can be called. */
  admitCall?(request: WorldRequest, action: Action['description']): MaybePromise<void>
  /** Writer of entities for actions. If no extension of a world has one, none of its actions can write. */
  readonly writes?: EntityWrites | undefined
  /** Member `authentication` of discovery. If no extension has one, reads need no token. */
  readonly authentication?: Authentication | undefined
  /** Types that discovery lists, if some types are not public. */
  readonly listedTypes?: readonly EntityTypeDescription[] | undefined
  /** Answers a GET or HEAD for a path without a route in place of the error body. Undefined: asks the next extension. */
  notFound?(request: WorldRequest, fault: WorldFault): MaybePromise<WorldResponse | undefined>
  /** Wraps the world: sees each request first and each response last. Later extensions wrap earlier ones. */
  around?(handle: Handle): Handle
  /** Called by `open` of the world, before the first request. */
  open?(): MaybePromise<void>
  /** Called by `close` of the world, after the last request. Extensions close in reverse order of opening. */
  close?(): MaybePromise<void>
}
