/** Options for a world, and the events reported to its operator. */
import type { Source } from '../store/contract.ts'
import type { Action } from '../world/action.ts'
import type { WorldDescription } from '../world/world.ts'
import type { ContentCoding } from './content-coding.ts'
import type { Extension } from './extension.ts'
import type { WorldRequest } from './http.ts'
import type { OriginOptions } from './origins.ts'
import type { RequestAdmission } from './request-admission.ts'

/** Log event for the operator. `error` is the cause that the response hides from the client. */
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
  /** Name of the called action, if the world has it. */
  readonly action?: string
  readonly method: string
  readonly status: number
  /** Time until the response was ready, in milliseconds. */
  readonly ms: number
}

/** Options for a world: its description, its store, and how it is served. */
export interface WorldOptions extends WorldDescription, OriginOptions {
  /** Data behind the world. The caller opens and closes it. */
  readonly store: Source
  /** Capabilities beyond Level 1, in the order in which discovery lists them. */
  readonly extensions?: readonly Extension[]
  /** World-specific actions, listed after `wp:discover` and the actions of extensions. */
  readonly actions?: readonly Action[]
  /** Former paths of the API. Requests below them are answered with 410 `api_moved`. */
  readonly retiredApiPaths?: readonly string[]
  /** Admission control, which queues or refuses requests under load. If absent, every request starts immediately. */
  readonly admission?: RequestAdmission
  /** Content codings for responses, in order of preference. If absent, responses are not compressed. */
  readonly codings?: readonly ContentCoding[]
  /** Size of the response cache, in bytes. 0 disables it. Default: 32 MiB. */
  readonly cacheBytes?: number
  /** Called after every request, except for those that the adapter refuses itself. */
  readonly observe?: (seen: Observation) => void
  /** Receives log events for the operator. Default: prints each event with `console.error`. */
  readonly log?: (event: LogEvent) => void
}
