/** Replication status for operators and for the processes that serve clients. */
import type { ReplicaState, Store } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus, statusOfNode } from '@worldwright/extensions/replica'
import type { ReplicaReport } from './admin-server.ts'
import type { Frontend } from './frontend.ts'

/** Interval between status updates to serving processes, in milliseconds. Between updates, processes overstate the lag. */
const TOLD_MS = 200

/** Returns a function that gets the status of a cluster node, or undefined if the store is not a replica. */
export function nodeStatus({ replicaState }: Store): (() => ReplicaStatus) | undefined {
  return replicaState && (() => statusOfNode(replicaState()))
}

/** Returns a function that gets the operator report of a replication state, or undefined if there is none. */
export function stateReport(state: (() => ReplicaState) | undefined): (() => ReplicaReport) | undefined {
  return state && (() => reportOf(statusOfNode(state()), state().lost))
}

/** Returns the operator report of a replica. `lost` is the reason why the upstream or primary cannot be reached. */
export function reportOf(status: ReplicaStatus, lost?: string): ReplicaReport {
  return {
    // Round up, as in every response.
    ...(status.currentAt > 0 && { lagSeconds: Math.ceil(lagSeconds(status, Date.now()) * 10) / 10 }),
    ...(lost !== undefined && { lost }),
  }
}

/** Periodically sends the status to all serving processes until the signal aborts. */
export function tellStatus(status: () => ReplicaStatus, frontend: Frontend, signal: AbortSignal): void {
  // Ignore failures: if a process has ended, its replacement starts with the current status.
  const timer = setInterval(() => void frontend.noteStatus(status()).catch(() => {}), TOLD_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
