/** The frontend of a world: answers requests in this process, or in workers behind one port. */
import type { Store } from '@worldwright/core/store'
import type { DownloadFiles } from '@worldwright/extensions/downloads'
import type { ReplicaStatus } from '@worldwright/extensions/replica'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { Log } from '../log/log.ts'
import type { ValidatedWorld } from './compose-world.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics, Snapshot } from './metrics.ts'

/** Dependencies of the frontend of a world. */
export interface ServerDeps {
  readonly storage: Store
  /** The URL of the store. */
  readonly store: string
  readonly metrics: Metrics | undefined
  /** Counts the requests of this process, if they are limited. */
  readonly rateLimit: RateLimit | undefined
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  readonly log: Log
  /** Makes downloads; undefined if there are none. */
  readonly downloads: DownloadFiles | undefined
  /** Damaged entities found by any process. */
  readonly damaged: DamagedEntities
}

/** The open frontend of a world. */
export interface Frontend {
  /** The address, as an origin. */
  readonly url: string
  /** Replaces the handler for all requests from now on; resolves when no process uses the old one. */
  replaceHandler(validated: ValidatedWorld): Promise<void>
  /** Sends the replication status to every process that answers. */
  noteStatus(status: ReplicaStatus): Promise<void>
  /** Returns the metrics of other processes, and the counts that ended processes left. */
  snapshots(): Promise<readonly Snapshot[]>
  /** Renews every answering process, one after the other, without losing a request. Does nothing if this process answers. */
  renew(): Promise<void>
  /** Stops accepting connections, and lets running requests finish. */
  close(): Promise<void>
}
