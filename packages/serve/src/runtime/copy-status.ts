/** Lag of a replica, as operators and clients see it. */
import type { Store } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus, statusOfNode } from '@worldwright/extensions/replica'
import type { CopyReport } from './admin-server.ts'
import type { Frontend } from './frontend.ts'

/** Interval at which answering processes get the status, in milliseconds. In between, they overstate the lag. */
const TOLD_MS = 200

/** Returns the status of a cluster node; undefined for a store whose reads are authoritative. */
export function nodeStatus({ copyState }: Store): (() => ReplicaStatus) | undefined {
  return copyState && (() => statusOfNode(copyState()))
}

/** Returns the report on a node for its operator; undefined for a store that is no replica. */
export function nodeReport({ copyState }: Store): (() => CopyReport) | undefined {
  return copyState && (() => reportOf(statusOfNode(copyState()), copyState().lost))
}

/** Returns the report on a replica for its operator. `lost`: reason why the upstream or primary cannot be reached now. */
export function reportOf(status: ReplicaStatus, lost?: string): CopyReport {
  return {
    // Rounded up, as on every answer.
    ...(status.currentAt > 0 && { lagSeconds: Math.ceil(lagSeconds(status, Date.now()) * 10) / 10 }),
    ...(lost !== undefined && { lost }),
  }
}

/** Sends the node's status to every answering process, until the signal ends it. */
export function tellStatus(status: () => ReplicaStatus, frontend: Frontend, signal: AbortSignal): void {
  // A process that ends meanwhile is replaced by one that gets the status at its start.
  const timer = setInterval(() => void frontend.noteStatus(status()).catch(() => {}), TOLD_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
