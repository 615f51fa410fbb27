/** A world's options, and the events that its operator sees. */
import type { Source } from '../store/contract.ts'
import type { Action } from '../world/action.ts'
import type { WorldDescription } from '../world/world.ts'
import type { ContentCoding } from './content-coding.ts'
import type { Extension } from './extension.ts'
import type { WorldRequest } from './http.ts'
import type { OriginOptions } from './origins.ts'
import type { RequestAdmission } from './request-admission.ts'

/** Event that an operator should see. `error` holds what an `internal_error` hides from the client. */
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
  /** Path pattern of the route that answered; empty if there is none. */
  readonly route: string
  /** The action that was called, if the world has it. */
  readonly action?: string
  readonly method: string
  readonly status: number
  /** Time until the answer could be sent, in milliseconds. */
  readonly ms: number
}

/** Options of a world: its description, its store, and its serving. */
export interface WorldOptions extends WorldDescription, OriginOptions {
  /** The caller opens and closes it. */
  readonly store: Source
  /** Capabilities beyond Level 1, in the order in which discovery lists them. */
  readonly extensions?: readonly Extension[]
  /** The actions of this world alone, after `wp:discover` and those of its extensions. */
  readonly actions?: readonly Action[]
  /** Earlier paths of the API: everything below them answers 410 `api_moved`. */
  readonly retiredApiPaths?: readonly string[]
  /** Admission control: starts, queues or refuses requests under load. Absent: every request starts at once. */
  readonly admission?: RequestAdmission
  /** Content codings that answers may have, the preferred one first. Absent: none. */
  readonly codings?: readonly ContentCoding[]
  /** Cache size for representations, in bytes; 0 keeps none. Default 32 MiB. */
  readonly cacheBytes?: number
  /** Called with every answered request, except those that the adapter refuses by itself. */
  readonly observe?: (seen: Observation) => void
  readonly log?: (event: LogEvent) => void
}
