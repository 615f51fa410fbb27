import type { Storage } from '@worldwright/server'
import {
  SearchProcess,
  type SearchProcessOptions,
  withGroupCommit,
  withSearchProcess,
} from '@worldwright/server/workers'
import type { Metrics } from './metrics.ts'

/** The store of a process that owns it: its URL, who counts, and by what searches order hits beside words. */
export interface Owning extends Pick<SearchProcessOptions, 'meaning'> {
  readonly store: string
  readonly metrics: Metrics | undefined
}

/** A store as the process that owns it has it: it writes for all, and searches elsewhere. */
export function ownedStorage(opened: Storage, { store, metrics, meaning }: Owning): Storage {
  const storage = withSearchProcess(withGroupCommit(opened), new SearchProcess(store, { meaning }))
  return metrics?.watchStorage(storage) ?? storage
}
