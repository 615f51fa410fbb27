/** Replication status: the lag of a replica behind its upstream. */
import type { CopyState, Store } from '@worldwright/core/store'
import type { FollowEvent } from './follow-world.ts'
import { keptUpstream } from './kept-upstream.ts'

/** Replication status: plain data, for every process that answers. */
export interface ReplicaStatus {
  /** It has caught up once: it can be read. */
  readonly isReady: boolean
  /** It equals the upstream, as far as can be known. */
  readonly isCurrent: boolean
  /** Time at which it last did, in milliseconds since 1970; 0 if never. */
  readonly currentAt: number
}

/** The status of a replica that never caught up. */
export const NEVER_CAUGHT_UP: ReplicaStatus = { isReady: false, isCurrent: false, currentAt: 0 }

/** Returns the lag in seconds: the time since the replica was last known to equal its upstream. */
export function lagSeconds({ isCurrent, currentAt }: ReplicaStatus, now: number): number {
  return isCurrent ? 0 : Math.max(0, now - currentAt) / 1_000
}

/** Returns the status of a reopened store: it may be behind since its last write. */
export async function statusOf(storage: Store): Promise<ReplicaStatus> {
  const kept = await keptUpstream(storage)
  return kept ? { isReady: true, isCurrent: false, currentAt: kept.at } : NEVER_CAUGHT_UP
}

/** Returns the status of a node, which can be read from the beginning. */
export function statusOfNode({ currentAt }: CopyState): ReplicaStatus {
  return { isReady: true, isCurrent: false, currentAt }
}

/** Returns the status after an event; `now`: in milliseconds since 1970. */
export function statusAfter(status: ReplicaStatus, { event }: FollowEvent, now: number): ReplicaStatus {
  if (event === 'current') return { isReady: true, isCurrent: true, currentAt: now }
  if (event === 'described') return status
  return { ...status, isCurrent: false }
}
