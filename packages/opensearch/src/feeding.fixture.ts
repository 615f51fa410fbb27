/** A store in memory whose searches are answered by a cluster of OpenSearch, for tests. */
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Operation, Position, Query, Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import type { OpenSearchCluster } from './opensearch.fixture.ts'
import { type OpenSearchOptions, withOpenSearch } from './storage.ts'

/** A store, and the same store searched by a cluster. */
export interface Fed {
  /** Searches by itself. */
  readonly plain: Store
  readonly storage: Store
  readonly url: string
  /** Reports of the feeder. */
  readonly said: readonly string[]
  /** Writes, and returns the position. */
  write(operations: readonly Operation[]): Promise<Position>
}

/** Returns the URL of a new index. */
export function freshIndex({ hosts }: OpenSearchCluster, parameters = 'replicas=0'): string {
  return `opensearch://${hosts.join()}/t${randomBytes(6).toString('hex')}?${parameters}`
}

/** Opens a store that is fed to an index, and closes it after the test. */
export function fedStorage(
  t: TestContext,
  url: string,
  {
    plain = createMemoryStore({ search: memorySearch }),
    ...options
  }: Partial<OpenSearchOptions> & { plain?: Store } = {},
): Fed {
  const said: string[] = []
  const storage = withOpenSearch(plain, { report: (message) => said.push(message), ...options, url })
  t.after(() => storage.close())
  return {
    plain,
    storage,
    url,
    said,
    async write(operations) {
      const result = await storage.write(operations)
      if (!result.done) throw new Error('nothing was written')
      return result.position
    },
  }
}

/** Returns a write of a moon with this id and title. */
export function moon(id: string, title = id, attributes = {}): Operation {
  return { put: { type: 'sol:moon', id, title, attributes } }
}

/** Returns the ids that a text finds, once the index exists and has reached a position. */
export async function found(storage: Store, text: string, position?: Position): Promise<string[]> {
  const { hits } = await foundBy(storage, { text, limit: 10, budgetMs: 2_000, position })
  return hits.map(({ id }) => id)
}

/** Returns the result of a query, once the index exists. */
export async function foundBy(storage: Store, query: Query) {
  for (;;)
    try {
      return await storage.find(query)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code !== 'index_rebuilding' && code !== 'busy') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
}
