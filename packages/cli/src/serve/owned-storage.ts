import type { Storage } from '@worldwright/server'
import { SearchProcess, withGroupCommit, withSearchProcess } from '@worldwright/server/workers'
import type { Metrics } from './metrics.ts'

/** A store as the process that owns it has it: it writes for all, and searches elsewhere. `store` is its URL. */
export function ownedStorage(opened: Storage, store: string, metrics: Metrics | undefined): Storage {
  const storage = withSearchProcess(withGroupCommit(opened), new SearchProcess(store))
  return metrics?.watchStorage(storage) ?? storage
}
