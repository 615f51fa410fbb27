/** Creates stores whose searches are answered by an OpenSearch cluster, for tests. */
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Operation, Position, Query, Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import type { OpenSearchCluster } from './opensearch.fixture.ts'
import { type OpenSearchOptions, type SearchedStore, withOpenSearch } from './searched-store.ts'

/** A store, and the same store wrapped so that a cluster answers its searches. */
export interface Fed {
  /** Unwrapped store, which answers searches itself. */
  readonly plain: Store
  readonly store: SearchedStore
  readonly url: string
  /** Failures that the feeder has reported. */
  readonly said: readonly string[]
  /** Writes to the store and returns the new position. */
  write(operations: readonly Operation[]): Promise<Position>
}

/** Returns the URL of an index that does not exist yet. */
export function freshIndex({ hosts }: OpenSearchCluster, parameters = 'replicas=0'): string {
  return `opensearch://${hosts.join()}/t${randomBytes(6).toString('hex')}?${parameters}`
}

/** Opens a store that feeds an index, and closes it after the test. */
export function fedStore(
  t: TestContext,
  url: string,
  {
    plain = createMemoryStore({ search: memorySearch }),
    ...options
  }: Partial<OpenSearchOptions> & { plain?: Store } = {},
): Fed {
  const said: string[] = []
  const store = withOpenSearch(plain, { report: (message) => said.push(message), ...options, url })
  t.after(() => store.close())
  return {
    plain,
    store,
    url,
    said,
    async write(operations) {
      const result = await store.write(operations)
      if (!result.done) throw new Error('nothing was written')
      return result.position
    },
  }
}

/** Returns a put operation for a moon with this id and title. */
export function moon(id: string, title = id, attributes = {}): Operation {
  return { put: { type: 'sol:moon', id, title, attributes } }
}

/** Returns the ids of the hits for `text`, once the index exists and has reached the position. */
export async function found(store: Store, text: string, position?: Position): Promise<string[]> {
  const { hits } = await foundBy(store, { text, limit: 10, budgetMs: 2_000, position })
  return hits.map(({ id }) => id)
}

/** Runs a query, retrying until the index exists and is up to date. */
export async function foundBy(store: Store, query: Query) {
  for (;;)
    try {
      return await store.find(query)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code !== 'index_rebuilding' && code !== 'busy') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
}
