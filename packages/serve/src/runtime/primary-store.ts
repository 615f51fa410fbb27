import type { ReplicaState, Store } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import { withIndexRepair } from '../layers/index-repair.ts'
import { stack } from '../layers/stack.ts'
import type { Log } from '../log/log.ts'
import { UsageFault } from '../terminal/io.ts'
import { withGroupCommit } from '../workers/group-commit.ts'
import { SearchProcess, type SearchProcessOptions, withSearchProcess } from '../workers/search-process.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Metrics } from './metrics.ts'

/** Dependencies and search settings of the primary's store. */
export interface PrimaryStoreOptions extends Pick<SearchProcessOptions, 'meaning'> {
  readonly location: Pick<StoreLocation, 'url' | 'hasNoIndex'>
  /** See `Settings.search`. */
  readonly search: string | undefined
  readonly metrics: Metrics | undefined
  readonly damaged: DamagedEntities
  readonly log: Log
}

/** Store of the primary, which may be searched by a cluster. */
export interface PrimaryStore extends Store {
  /** Returns the state of the index in a cluster; absent if no cluster searches. */
  readonly clusterState?: () => ReplicaState
}

/** Wraps the primary's store so that it performs all writes and delegates searches. @throws UsageFault */
export async function primaryStore(opened: Store, options: PrimaryStoreOptions): Promise<PrimaryStore> {
  const { location, metrics, meaning, damaged } = options
  // Layers pass on the members that they do not know.
  return stack(opened, {
    writes: withGroupCommit,
    ...(!location.hasNoIndex && {
      search: (store) => withSearchProcess(store, new SearchProcess(location.url, { meaning })),
      repair: withIndexRepair,
    }),
    cluster: (store) => searchedByCluster(store, options),
    metrics: metrics?.watchStore,
    spans: metrics?.telemetry?.spans,
    damage: (store) => damaged.watch(store),
  })
}

async function searchedByCluster(
  store: Store,
  { location, search, meaning, metrics, log }: PrimaryStoreOptions,
): Promise<PrimaryStore> {
  if (search === undefined) return store
  if (meaning) throw new UsageFault('meaningModel works with the index in the store only. Leave out search.')
  const { openSearchAddress, withOpenSearch } = await import('@worldwright/opensearch')
  try {
    openSearchAddress(search)
  } catch (error) {
    throw new UsageFault(`search: ${error instanceof Error ? error.message : error}`)
  }
  const report = (message: string) => log.report('error', message, { event: 'search_feed' })
  const searched = withOpenSearch(store, { url: search, report, hasOwnIndex: !location.hasNoIndex })
  metrics?.watchCluster(searched.clusterState)
  return searched
}
