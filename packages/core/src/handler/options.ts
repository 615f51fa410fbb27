/** A world's options, and the events that its operator sees. */
import type { Source } from '../store/contract.ts'
import type { Action } from '../world/action.ts'
import type { WorldDescription } from '../world/world.ts'
import type { ContentCoding } from './content-coding.ts'
import type { Extension } from './extension.ts'
import type { WorldRequest } from './http.ts'
import type { OriginOptions } from './origins.ts'
import type { RequestAdmission } from './request-admission.ts'

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

/** Options of a world: its description, its store, and its serving. */
export interface WorldOptions extends WorldDescription, OriginOptions {
  /** Opened by the caller, who closes it. */
  readonly store: Source
  /** Capabilities beyond Level 1, in the order in which discovery lists them. */
  readonly extensions?: readonly Extension[]
  /** The actions of this world alone, after `wp:discover` and those of its extensions. */
  readonly actions?: readonly Action[]
  /** Earlier paths of the API: everything below them answers 410 `api_moved`. */
  readonly retiredApiPaths?: readonly string[]
  /** Lets requests begin, wait or go where there is too much to do. Absent: each is answered as it comes. */
  readonly admission?: RequestAdmission
  /** Content codings that answers may have, the preferred one first. Absent: none. */
  readonly codings?: readonly ContentCoding[]
  /** Bytes of representations to keep in memory; 0 keeps none. Default 32 MiB. */
  readonly cacheBytes?: number
  /** Called with every answered request. What the adapter refuses by itself is not among them. */
  readonly observe?: (seen: Observation) => void
  readonly log?: (event: LogEvent) => void
}
