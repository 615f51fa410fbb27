import type { Storage } from '@worldwright/server'
import type { Store } from '@worldwright/server/stores'
import {
  SearchProcess,
  type SearchProcessOptions,
  withGroupCommit,
  withSearchProcess,
} from '@worldwright/server/workers'
import type { Log } from '../log/log.ts'
import { UsageFault } from '../terminal/io.ts'
import type { Metrics } from './metrics.ts'

/** The store of a process that owns it, who counts, and by what searches are answered and ordered. */
export interface Owning extends Pick<SearchProcessOptions, 'meaning'> {
  readonly store: Pick<Store, 'url' | 'hasNoIndex'>
  /** See `Settings.search`. */
  readonly search: string | undefined
  readonly metrics: Metrics | undefined
  readonly log: Log
}

/** A store as the process that owns it has it: it writes for all, and searches elsewhere. @throws UsageFault */
export async function ownedStorage(opened: Storage, owning: Owning): Promise<Storage> {
  const { store, metrics, meaning } = owning
  const writing = withGroupCommit(opened)
  const storage = store.hasNoIndex
    ? writing
    : withSearchProcess(writing, new SearchProcess(store.url, { meaning }))
  const searched = await searchedByCluster(storage, owning)
  return metrics?.watchStorage(searched) ?? searched
}

async function searchedByCluster(storage: Storage, { search, meaning, log }: Owning): Promise<Storage> {
  if (search === undefined) return storage
  if (meaning) throw new UsageFault('meaningModel works with the index in the store only. Leave out search.')
  const { openSearchAddress, withOpenSearch } = await import('@worldwright/server/opensearch')
  try {
    openSearchAddress(search)
  } catch (error) {
    throw new UsageFault(`search: ${error instanceof Error ? error.message : error}`)
  }
  const report = (message: string) => log.report('error', message, { event: 'search_feed' })
  return withOpenSearch(storage, { url: search, report })
}
