/** A store whose searches are answered by a cluster of OpenSearch, which is fed from it. */

import type { Result } from '@worldwright/core/store'
import {
  type EntityKey,
  type Found,
  indexRules,
  namedValue,
  type Query,
  StorageFault,
  type Store,
  type StoredEntity,
  SYNONYMS_KEY,
} from '@worldwright/core/store'
import type { DocumentTerm, ScoredKey } from '@worldwright/search'
import { documentTerms, isPrecise } from '@worldwright/search'
import { matchingFields, searchDocumentOf, synonymsReader } from '@worldwright/search/entities'
import { openSearchAddress } from './address.ts'
import { Asked, NoShards, TooManyClauses } from './asked.ts'
import { Cluster } from './cluster.ts'
import { Feeder, type FeederOptions } from './feeder.ts'
import { IndexView } from './index-view.ts'
import { canSearch, searchIndex } from './search.ts'

/** Maximum concurrent searches: more would only queue in the cluster. */
const MAX_SEARCHES = 64

/** Options of a store that a cluster searches. */
export interface OpenSearchOptions extends FeederOptions {
  /** The URL of the index, see `openSearchAddress`. */
  readonly url: string
}

/**
 * Wraps a store: sends its searches to a cluster, and feeds the index there or waits to. Closing it ends the feeding first.
 * @throws StorageFault `not_a_store` for a URL that cannot be read
 */
export function withOpenSearch(storage: Store, { url, ...options }: OpenSearchOptions): Store {
  const cluster = new Cluster(openSearchAddress(url))
  const feeder = new Feeder(cluster, storage, options)
  const find = clusterFind(storage, cluster)
  return {
    ...storage,
    find: (query) => (isForCluster(query) ? find(query) : storage.find(query)),
    matchedIn: async (hits, matched) => matchingFields(hits, matched, await indexRules(storage)),
    async close() {
      await feeder.close()
      await storage.close()
    },
  }
}

/** The store itself answers queries for everything, which need no index, and those that a cluster cannot answer. */
function isForCluster(query: Query): boolean {
  return ((query.text ?? '').trim() !== '' || isPrecise(query)) && canSearch(query)
}

/** Returns the index terms of an entity; none if it does not exist. @throws StorageFault `damaged` */
async function termsOf(storage: Store, { type, id }: EntityKey): Promise<DocumentTerm[]> {
  const entity = await storage.get(type, id)
  if (!entity) return []
  const rules = await indexRules(storage)
  return documentTerms(searchDocumentOf(JSON.parse(entity.json), rules[type]))
}

/** Returns the result with the entities of the store. Reads them concurrently, because the store may be far away. */
async function withEntities(storage: Store, result: Result<ScoredKey>): Promise<Found> {
  const hits: StoredEntity[] = []
  const damaged: EntityKey[] = []
  const entities = await Promise.all(result.hits.map(({ key }) => entityOrDamage(storage, key)))
  for (const [at, entity] of entities.entries()) {
    if (entity === 'damaged') damaged.push((result.hits[at] as ScoredKey).key)
    // An entity that was deleted since is omitted.
    else if (entity) hits.push(entity)
  }
  return { ...result, hits, ...(damaged.length > 0 && { damaged }) }
}

async function entityOrDamage(storage: Store, { type, id }: EntityKey) {
  try {
    return await storage.get(type, id)
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return 'damaged'
    throw error
  }
}

function clusterFind(storage: Store, cluster: Cluster): (query: Query) => Promise<Found> {
  const view = new IndexView(cluster)
  let synonymsText: string | undefined
  const synonyms = synonymsReader(() => synonymsText)
  let underWay = 0
  const answer = async (query: Query, isAgain: boolean): Promise<Result<ScoredKey>> => {
    const { position, budgetMs, signal } = query
    const seen = await view.look(position, signal)
    synonymsText = (await namedValue(storage, SYNONYMS_KEY))?.value
    const terms = query.similar ? await termsOf(storage, query.similar) : []
    try {
      const asked = new Asked(cluster, seen.index, budgetMs, signal)
      return await searchIndex(asked, seen, query, { terms, synonyms: synonyms() })
    } catch (error) {
      if (!(error instanceof NoShards) || isAgain) throw error
      view.forget()
      return answer(query, true)
    }
  }
  return async (query) => {
    query.signal?.throwIfAborted()
    if (underWay >= MAX_SEARCHES)
      throw new StorageFault('overloaded', 'Too many searches are under way. Try again.')
    underWay += 1
    try {
      return await withEntities(storage, await answer(query, false))
    } catch (error) {
      // The store's own index takes any query.
      if (error instanceof TooManyClauses) return await storage.find(query)
      throw error
    } finally {
      underWay -= 1
    }
  }
}
