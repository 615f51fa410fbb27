/** Wraps a store so that an OpenSearch cluster, which it feeds, answers its searches. */

import {
  type EntityKey,
  type Found,
  indexRules,
  namedValue,
  type Query,
  type ReplicaState,
  type Result,
  type Store,
  type StoredEntity,
  StoreFault,
  SYNONYMS_KEY,
} from '@worldwright/core/store'
import { type DocumentTerm, documentTerms, isPrecise, type ScoredKey } from '@worldwright/search'
import { matchingFields, searchDocumentOf, synonymsReader } from '@worldwright/search/entities'
import { openSearchAddress } from './address.ts'
import { Asked, NoShards, TooManyClauses } from './asked.ts'
import { Cluster } from './cluster.ts'
import { Feeder, type FeederOptions } from './feeder.ts'
import { IndexView } from './index-view.ts'
import { canSearch, searchIndex } from './search.ts'
import { withOwnIndex, withReason } from './without-cluster.ts'

/** Maximum number of concurrent searches. More searches would only queue in the cluster. */
const MAX_SEARCHES = 64

/** Options for a store that is searched by a cluster. */
export interface OpenSearchOptions extends FeederOptions {
  /** URL of the index (see `openSearchAddress`). */
  readonly url: string
  /** True if the store has an index of its own, which answers what the cluster cannot. Default: false. */
  readonly hasOwnIndex?: boolean
}

/** A store that is searched by a cluster. */
export interface SearchedStore extends Store {
  /** Returns the state of the index in the cluster. See `Feeder.state`. */
  clusterState(): ReplicaState
}

/**
 * Wraps a store so that a cluster answers its searches. Until closed, it also feeds the index unless another node does.
 * @throws StoreFault `not_a_store` for an invalid URL
 */
export function withOpenSearch(
  store: Store,
  { url, hasOwnIndex, ...options }: OpenSearchOptions,
): SearchedStore {
  const cluster = new Cluster(openSearchAddress(url))
  const feeder = new Feeder(cluster, store, options)
  const clusterState = () => feeder.state()
  const asked = clusterFind(store, cluster)
  const find = hasOwnIndex ? withOwnIndex(asked, store, clusterState) : withReason(asked, clusterState)
  return {
    ...store,
    clusterState,
    find: (query) => (isForCluster(query) ? find(query) : store.find(query)),
    matchedIn: async (hits, matched) => matchingFields(hits, matched, await indexRules(store)),
    async close() {
      await feeder.close()
      await store.close()
    },
  }
}

/** Reports whether a query needs an index and the cluster can answer it. The store itself answers all other queries. */
function isForCluster(query: Query): boolean {
  return ((query.text ?? '').trim() !== '' || isPrecise(query)) && canSearch(query)
}

/** Returns the index terms of an entity, or an empty array if it does not exist. @throws StoreFault `damaged` */
async function termsOf(store: Store, { type, id }: EntityKey): Promise<DocumentTerm[]> {
  const entity = await store.get(type, id)
  if (!entity) return []
  const rules = await indexRules(store)
  return documentTerms(searchDocumentOf(JSON.parse(entity.json), rules[type]))
}

/** Adds the stored entities to a result. Reads them concurrently, because each read may be a round trip. */
async function withEntities(store: Store, result: Result<ScoredKey>): Promise<Found> {
  const hits: StoredEntity[] = []
  const damaged: EntityKey[] = []
  const entities = await Promise.all(result.hits.map(({ key }) => entityOrDamage(store, key)))
  for (const [at, entity] of entities.entries()) {
    if (entity === 'damaged') damaged.push((result.hits[at] as ScoredKey).key)
    // An entity that has been deleted meanwhile is omitted.
    else if (entity) hits.push(entity)
  }
  return { ...result, hits, ...(damaged.length > 0 && { damaged }) }
}

async function entityOrDamage(store: Store, { type, id }: EntityKey) {
  try {
    return await store.get(type, id)
  } catch (error) {
    if (error instanceof StoreFault && error.code === 'damaged') return 'damaged'
    throw error
  }
}

function clusterFind(store: Store, cluster: Cluster): (query: Query) => Promise<Found> {
  const view = new IndexView(cluster)
  let synonymsText: string | undefined
  const synonyms = synonymsReader(() => synonymsText)
  let underWay = 0
  const answer = async (query: Query, isAgain: boolean): Promise<Result<ScoredKey>> => {
    const { position, budgetMs, signal } = query
    const seen = await view.look(position, signal)
    synonymsText = (await namedValue(store, SYNONYMS_KEY))?.value
    const terms = query.similar ? await termsOf(store, query.similar) : []
    try {
      const asked = new Asked(cluster, seen.index, budgetMs, signal)
      const result = await searchIndex(asked, seen, query, { terms, synonyms: synonyms() })
      return { ...result, reached: seen.reached }
    } catch (error) {
      if (!(error instanceof NoShards) || isAgain) throw error
      view.forget()
      return answer(query, true)
    }
  }
  return async (query) => {
    query.signal?.throwIfAborted()
    if (underWay >= MAX_SEARCHES)
      throw new StoreFault('overloaded', 'Too many searches are under way. Try again.')
    underWay += 1
    try {
      return await withEntities(store, await answer(query, false))
    } catch (error) {
      // The store's own index has no limit on clauses.
      if (error instanceof TooManyClauses) return await store.find(query)
      throw error
    } finally {
      underWay -= 1
    }
  }
}
