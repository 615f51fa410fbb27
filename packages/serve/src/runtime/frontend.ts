/** Frontend of a world, which serves requests in this process or in workers behind one port. */
import type { ReplicaStatus } from '@worldwright/extensions/replica'
import type { ValidatedWorld, WorldDeps } from './compose-world.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics, Snapshot } from './metrics.ts'

/** Dependencies of the frontend of a world. */
export interface ServerDeps extends Pick<WorldDeps, 'store' | 'rateLimit' | 'status' | 'log' | 'downloads'> {
  /** URL of the store. */
  readonly storeUrl: string
  readonly metrics: Metrics | undefined
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
