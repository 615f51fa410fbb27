/** Frontend of a world, which serves requests in this process or in workers behind one port. */
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
  readonly store: Store
  /** URL of the store. */
  readonly storeUrl: string
  readonly metrics: Metrics | undefined
  /** Rate limit of this process; undefined if requests are not limited. */
  readonly rateLimit: RateLimit | undefined
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  readonly log: Log
  /** Creates downloads; undefined if downloads are disabled. */
  readonly downloads: DownloadFiles | undefined
  /** Resolves when workers may start; until then the primary alone answers. Default: at once. */
  readonly ready?: Promise<unknown> | undefined
  /** Damaged entities found by any process. */
  readonly damaged: DamagedEntities
}

/** The open frontend of a world. */
export interface Frontend {
  /** Origin at which the frontend listens. */
  readonly url: string
  /** Replaces the handler for all new requests. Resolves when no process uses the old handler. */
  replaceHandler(validated: ValidatedWorld): Promise<void>
  /** Sends the replication status to every process that serves requests. */
  noteStatus(status: ReplicaStatus): Promise<void>
  /** Returns the metrics of other processes, including the final counts of exited processes. */
  snapshots(): Promise<readonly Snapshot[]>
  /** Replaces the workers one at a time without losing a request. Does nothing if there are no workers. */
  renew(): Promise<void>
  /** Stops accepting connections, and resolves when running requests have finished. */
  close(): Promise<void>
}
