/** How far a copy is behind its owner. */
import type { CopyState, Store } from '@worldwright/core/store'
import type { FollowEvent } from './follow-world.ts'
import { keptUpstream } from './kept-upstream.ts'

/** How a copy stands: plain data, for every process that answers. */
export interface ReplicaStatus {
  /** It was caught up once: it can be read. */
  readonly isReady: boolean
  /** It is, as far as anybody can know, what its owner is. */
  readonly isCurrent: boolean
  /** When it was so last, in milliseconds since 1970; 0 if it never was. */
  readonly currentAt: number
}

/** The status of a copy that was never caught up. */
export const NEVER_CAUGHT_UP: ReplicaStatus = { isReady: false, isCurrent: false, currentAt: 0 }

/** Seconds that a copy is behind: how long ago it was last known to be what its owner is. */
export function lagSeconds({ isCurrent, currentAt }: ReplicaStatus, now: number): number {
  return isCurrent ? 0 : Math.max(0, now - currentAt) / 1_000
}

/** The status of a store that is opened again: it may be behind since it was written to last. */
export async function statusOf(storage: Store): Promise<ReplicaStatus> {
  const kept = await keptUpstream(storage)
  return kept ? { isReady: true, isCurrent: false, currentAt: kept.at } : NEVER_CAUGHT_UP
}

/** The status of a node, which can be read from the beginning. */
export function statusOfNode({ currentAt }: CopyState): ReplicaStatus {
  return { isReady: true, isCurrent: false, currentAt }
}

/** The status after an event at a moment in milliseconds since 1970. */
export function statusAfter(status: ReplicaStatus, { event }: FollowEvent, now: number): ReplicaStatus {
  if (event === 'current') return { isReady: true, isCurrent: true, currentAt: now }
  if (event === 'described') return status
  return { ...status, isCurrent: false }
}
