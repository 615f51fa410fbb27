/** Replication status, including the lag of a replica behind its upstream. */
import type { ReplicaState, Store } from '@worldwright/core/store'
import type { FollowEvent } from './follow-world.ts'
import { keptUpstream } from './kept-upstream.ts'

/** Replication status, as plain data that can be sent to every serving process. */
export interface ReplicaStatus {
  /** True once the replica has caught up and can be read. */
  readonly isReady: boolean
  /** True if the replica equals its upstream, as far as is known. */
  readonly isCurrent: boolean
  /** Time at which the replica last equalled its upstream, in milliseconds since 1970; 0 if never. */
  readonly currentAt: number
}

/** Status of a replica that has never caught up. */
export const NEVER_CAUGHT_UP: ReplicaStatus = { isReady: false, isCurrent: false, currentAt: 0 }

/** Returns the lag in seconds: 0 if current, otherwise the time since the replica last equalled its upstream. */
export function lagSeconds({ isCurrent, currentAt }: ReplicaStatus, now: number): number {
  return isCurrent ? 0 : Math.max(0, now - currentAt) / 1_000
}

/** Returns the status of a reopened store, which may have fallen behind since its last commit. */
export async function statusOf(store: Store): Promise<ReplicaStatus> {
  const kept = await keptUpstream(store)
  return kept ? { isReady: true, isCurrent: false, currentAt: kept.at } : NEVER_CAUGHT_UP
}

/** Returns the status of a node. A node is readable from the start. */
export function statusOfNode({ currentAt }: ReplicaState): ReplicaStatus {
  return { isReady: true, isCurrent: false, currentAt }
}

/** Returns the status after an event. `now` is in milliseconds since 1970. */
export function statusAfter(status: ReplicaStatus, { event }: FollowEvent, now: number): ReplicaStatus {
  if (event === 'current') return { isReady: true, isCurrent: true, currentAt: now }
  if (event === 'described') return status
  return { ...status, isCurrent: false }
}
