import type { Store } from '@worldwright/core/store'
import { stack, withIndexRepair } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import type { Log } from '../log/log.ts'
import { UsageFault } from '../terminal/io.ts'
import { withGroupCommit } from '../workers/group-commit.ts'
import { SearchProcess, type SearchProcessOptions, withSearchProcess } from '../workers/search-process.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics } from './metrics.ts'

/** The store of a process that owns it, who counts, and by what searches are answered and ordered. */
export interface Owning extends Pick<SearchProcessOptions, 'meaning'> {
  readonly store: Pick<StoreLocation, 'url' | 'hasNoIndex'>
  /** See `Settings.search`. */
  readonly search: string | undefined
  readonly metrics: Metrics | undefined
  readonly damaged: DamagedEntities
  readonly log: Log
}

/** A store as the primary has it: it writes for all, and searches elsewhere. @throws UsageFault */
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
