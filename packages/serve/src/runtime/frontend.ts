/** Where requests are answered: in this process, or in workers behind one port. */
import type { Store } from '@worldwright/core/store'
import type { DownloadFiles } from '@worldwright/extensions/downloads'
import type { ReplicaStatus } from '@worldwright/extensions/replica'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { Log } from '../log/log.ts'
import type { ValidatedWorld } from './compose-world.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics, Snapshot } from './metrics.ts'

/** What a frontend works with. */
export interface ServerDeps {
  readonly storage: Store
  /** The URL of the store. */
  readonly store: string
  readonly metrics: Metrics | undefined
  /** Counts the requests of this process, where they are limited. */
  readonly rateLimit: RateLimit | undefined
  /** How the copy stands, if this is one. */
  readonly status?: (() => ReplicaStatus) | undefined
  readonly log: Log
  /** Makes downloads. Absent: there are none. */
  readonly downloads: DownloadFiles | undefined
  /** What was found damaged by any process. */
  readonly damaged: DamagedEntities
}

/** The open frontend of a world. */
export interface Frontend {
  /** The address, as an origin. */
  readonly url: string
  /** Replaces the handler for all requests from now on; resolves when no process uses the old one. */
  replaceHandler(validated: ValidatedWorld): Promise<void>
  /** Lets every process that answers know how a copy stands. */
  noteStatus(status: ReplicaStatus): Promise<void>
  /** The metrics of other processes, and the counts that ended processes left. */
  snapshots(): Promise<readonly Snapshot[]>
  /** Renews every process that answers, one after the other; no request is lost. Nothing where this process answers. */
  renew(): Promise<void>
  /** Takes no new connections and lets running requests finish. */
  close(): Promise<void>
}
