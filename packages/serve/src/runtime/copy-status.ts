/** How far a copy is behind what it copies, as operators and clients see it. */
import type { Store } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus, statusOfNode } from '@worldwright/extensions/replica'
import type { CopyReport } from './admin-server.ts'
import type { Frontend } from './frontend.ts'

/** How often the processes that answer are told, in milliseconds. Meanwhile they state a lag that is larger than it is. */
const TOLD_MS = 200

/** How a node stands. Undefined for a store whose reads are the truth. */
export function nodeStatus({ copyState }: Store): (() => ReplicaStatus) | undefined {
  return copyState && (() => statusOfNode(copyState()))
}

/** The report on a node for its operator; undefined for a store that is no copy. */
export function nodeReport({ copyState }: Store): (() => CopyReport) | undefined {
  return copyState && (() => reportOf(statusOfNode(copyState()), copyState().lost))
}

/** The report on a copy for its operator. `lost`: why what it copies cannot be reached now. */
export function reportOf(status: ReplicaStatus, lost?: string): CopyReport {
  return {
    // Rounded up, as on every answer.
    ...(status.currentAt > 0 && { lagSeconds: Math.ceil(lagSeconds(status, Date.now()) * 10) / 10 }),
    ...(lost !== undefined && { lost }),
  }
}

/** Tells every process that answers how the node stands, until the signal ends it. */
export function tellStatus(status: () => ReplicaStatus, frontend: Frontend, signal: AbortSignal): void {
  // A process that ends meanwhile is replaced by one that is told at its start.
  const timer = setInterval(() => void frontend.noteStatus(status()).catch(() => {}), TOLD_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
