import type { Store } from '@worldwright/core/store'
import { stack, withIndexRepair } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import type { Log } from '../log/log.ts'
import { UsageFault } from '../terminal/io.ts'
import { withGroupCommit } from '../workers/group-commit.ts'
import { SearchProcess, type SearchProcessOptions, withSearchProcess } from '../workers/search-process.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics } from './metrics.ts'

/** Dependencies of the primary's store, and the settings for answering and ordering searches. */
export interface Owning extends Pick<SearchProcessOptions, 'meaning'> {
  readonly store: Pick<StoreLocation, 'url' | 'hasNoIndex'>
  /** See `Settings.search`. */
  readonly search: string | undefined
  readonly metrics: Metrics | undefined
  readonly damaged: DamagedEntities
  readonly log: Log
}

/** Returns the store as the primary uses it: it writes for all processes, and searches elsewhere. @throws UsageFault */
export async function ownedStorage(opened: Store, owning: Owning): Promise<Store> {
  const { store, metrics, meaning, damaged } = owning
  return stack(opened, {
    writes: withGroupCommit,
    ...(!store.hasNoIndex && {
      search: (storage) => withSearchProcess(storage, new SearchProcess(store.url, { meaning })),
      repair: withIndexRepair,
    }),
    cluster: (storage) => searchedByCluster(storage, owning),
    metrics: metrics?.watchStorage,
    damage: (storage) => damaged.watch(storage),
  })
}

async function searchedByCluster(storage: Store, { search, meaning, log }: Owning): Promise<Store> {
  if (search === undefined) return storage
  if (meaning) throw new UsageFault('meaningModel works with the index in the store only. Leave out search.')
  const { openSearchAddress, withOpenSearch } = await import('@worldwright/opensearch')
  try {
    openSearchAddress(search)
  } catch (error) {
    throw new UsageFault(`search: ${error instanceof Error ? error.message : error}`)
  }
  const report = (message: string) => log.report('error', message, { event: 'search_feed' })
  return withOpenSearch(storage, { url: search, report })
}
