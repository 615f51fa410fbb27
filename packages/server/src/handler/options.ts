/** How a world is served, and the events that its operator sees. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { MaybePromise } from '../storage/contract.ts'
import type { Action, EntityWrites } from '../world/action.ts'
import type { Authentication } from '../world/discovery-document.ts'
import type { WorldFault } from '../world/errors.ts'
import type { Admission } from './admission.ts'
import type { Extensions } from './discovery-route.ts'
import type { Route, WorldRequest, WorldResponse } from './http.ts'
import type { OriginOptions } from './origins.ts'

/** Something an operator should see. `error` holds what an `internal_error` keeps from the client. */
export interface LogEvent {
  readonly event: 'internal_error' | 'unavailable' | 'damaged'
  readonly requestId: string
  readonly method: string
  readonly target: string
  readonly error: unknown
}

/** An answered request, for metrics and logs. */
export interface Observation {
  readonly request: WorldRequest
  /** The path of the route that answered, as a pattern; empty if there is none. */
  readonly route: string
  /** The action that was called, where the world has it. */
  readonly action?: string
  readonly method: string
  readonly status: number
  /** Until the answer could be sent, in milliseconds. */
  readonly ms: number
}

/** How a world is served. */
export interface WorldOptions extends OriginOptions {
  /** Earlier paths of the API: everything below them answers 410 `api_moved`. */
  readonly retiredApiPaths?: readonly string[]
  /** Routes beyond Level 1, from the embedder; or what makes them for the path that the API stands at. */
  readonly routes?: readonly Route[] | ((apiPath: string) => readonly Route[])
  /**
   * Declares those routes and actions as `extensions` in the discovery document: fixed, or read again after the store
   * has changed.
   */
  readonly extensions?: Extensions
  /** The actions beyond `wp:discover`, in the order in which discovery lists them. */
  readonly actions?: readonly Action[]
  /**
   * Refuses the call of an action by throwing a WorldFault (`unauthenticated`, `forbidden`). Absent: everybody may call
   * those that are safe, and nobody the others.
   */
  readonly admitCall?: (request: WorldRequest, action: Action['description']) => MaybePromise<void>
  /** What actions write entities with. Absent: none of them can. */
  readonly writes?: EntityWrites | undefined
  /** What discovery says about tokens. By default reads need none. */
  readonly authentication?: Authentication
  /** Lets requests begin, wait or go where there is too much to do. Default: an `Admission` of the handler's own. */
  readonly admission?: Pick<Admission, 'run' | 'waiting' | 'isFull'>
  /** Bytes of representations to keep in memory; 0 keeps none. Default 32 MiB. */
  readonly cacheBytes?: number
  /**
   * Refuses a request by throwing a WorldFault (`unauthenticated`, `forbidden`).
   * Called for every method but OPTIONS, also for paths without a route, but not for `open` routes such as discovery.
   * Absent: everybody may read.
   */
  readonly admit?: (request: WorldRequest) => MaybePromise<void>
  /**
   * Answers a GET or HEAD for a path that no route fits, where the error body would be no help: a page for people.
   * Undefined: the error body after all. Absent: always that.
   */
  readonly lost?: (request: WorldRequest, fault: WorldFault) => WorldResponse | undefined
  /** The types that discovery lists, where not everybody may know all of them. Absent: all. */
  readonly listedTypes?: readonly EntityTypeDescription[]
  /** Called with every answered request. What the adapter refuses by itself is not among them. */
  readonly observe?: (seen: Observation) => void
  readonly log?: (event: LogEvent) => void
}
