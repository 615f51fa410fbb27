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

/** A capability that a world can be given: `createWorld({ …, extensions: [query(), changes()] })`. */
export type Extension = (mount: Mount) => Capability

/** Answers any request, with a response of its own. */
export type Handle = (request: WorldRequest) => MaybePromise<WorldResponse>

/**
 * The world that an extension is mounted on, and the addresses of its parts. Later extensions are not there yet: functions
 * whose answers depend on those are called when requests come, and not before.
 */
export interface Mount extends Origins {
  readonly world: World
  readonly store: Store
  /** Returns the routes of Level 1 at a path of its own: lists, entities, actions. For an API that does more there. */
  levelOne(path: string): ReturnType<typeof levelOneRoutes>
  /** Returns all routes of the world, Level 1 first. */
  routes(): readonly Route[]
  readonly discovery: Discovery
  /** Returns the caller of a request, which is authenticated once. */
  callerOf(request: WorldRequest): Promise<Caller | undefined>
  /** The `admit` of all extensions of the world. Undefined: everybody may read. */
  admission(): Capability['admit']
}

/** All that an extension brings to one world. Hooks of several extensions run in the order of the extensions. */
export interface Capability {
  /** Unique in its world, such as `worldwright:changes`; the name of its member of `extensions` in discovery. */
  readonly name: string
  /** Listed in discovery after `wp:discover`, before the world's own. */
  readonly actions?: readonly Action[]
  /** Paths that no route of another extension may answer at. */
  readonly routes?: readonly Route[]
  /**
   * Returns its member of `extensions` in discovery, for the types that are listed there. Asked again after the store has
   * changed; a member that differs is another object. Undefined hides it.
   */
  declares?(types: readonly EntityTypeDescription[]): MaybePromise<JsonObject | undefined>
  /** Returns the caller of a request, or undefined for credentials that it does not know. */
  authenticate?(request: WorldRequest): MaybePromise<Caller | undefined>
  /**
   * Refuses a request by throwing a WorldFault (`unauthenticated`, `forbidden`). Called for every method but OPTIONS,
   * also for paths without a route, but not for `open` routes such as discovery; again for the input of a safe action.
   * `reads`: see `Route.reads`.
   */
  admit?(request: WorldRequest, reads: () => ReadTypes): MaybePromise<void>
  /** Refuses the call of an action, as `admit`. Without any, those that are safe can be called, and no others. */
  admitCall?(request: WorldRequest, action: Action['description']): MaybePromise<void>
  /** Writer of entities for actions; one extension of a world has it, or none of its actions can write. */
  readonly writes?: EntityWrites | undefined
  /** The member `authentication` of discovery. Without any, reads need no token. */
  readonly authentication?: Authentication | undefined
  /** The types that discovery lists, if not everybody may know all of them. */
  readonly listedTypes?: readonly EntityTypeDescription[] | undefined
  /** Answers a GET or HEAD for a path without a route in place of the error body. Undefined: the next one may. */
  notFound?(request: WorldRequest, fault: WorldFault): MaybePromise<WorldResponse | undefined>
  /** Stands in front of the world: sees each request first and each answer last. Later extensions stand further out. */
  around?(handle: Handle): Handle
  /** Called by `open` of the world, before the first request. */
  open?(): MaybePromise<void>
  /** Called by `close` of the world, after the last request. The last to be opened is closed first. */
  close?(): MaybePromise<void>
}
