/** Read access to a world for action handlers. Entities are plain values, and one signal aborts all reads of a call. */
import type { Entity } from '@worldwright/client/protocol'
import type { ActionContext } from '@worldwright/core'
import { DISCOVER_DEFAULT, DISCOVER_MAX, LIST_MAX, SEARCH_BUDGET_MS, WorldFault } from '@worldwright/core'
import type { CallOptions, StoredEntity } from '@worldwright/core/store'

/** Search request from a handler. */
export interface ReaderSearch {
  readonly types?: readonly string[]
  readonly text?: string
  /** Maximum number of results. Default 20, at most 100. */
  readonly limit?: number
}

/** Reads the world that an action belongs to. The methods do not use `this`. */
export interface WorldReader {
  /** Returns an entity, or undefined if there is none. @throws WorldFault `invalid_type`, `unknown_type`, `invalid_id` */
  get(type: string, id: string): Promise<Entity | undefined>
  /** Iterates over all entities of a type, ascending by id. @throws WorldFault `invalid_type`, `unknown_type` */
  entities(type: string): AsyncIterable<Entity>
  /** Returns the matching entities, best first, as `wp:discover` does. */
  discover(search: ReaderSearch): Promise<Entity[]>
}

/** Creates the reader for one call. Aborting the signal abandons its pending reads. */
export function createReader({ world, signal, client }: ActionContext): WorldReader {
  return {
    get: (type, id) => entityAt({ world, signal }, type, id),
    async *entities(type) {
      let cursor: string | undefined
      do {
        const page = await world.list(type, { cursor, limit: LIST_MAX, signal })
        for (const entity of page.entities) yield entityFrom(entity)
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },
    async discover({ limit = DISCOVER_DEFAULT, ...search }) {
      const query = { ...search, limit: Math.min(limit, DISCOVER_MAX), budgetMs: SEARCH_BUDGET_MS }
      const { hits } = await world.discover(query, { signal, client })
      return hits.map(entityFrom)
    },
  }
}

/** Returns an entity, or undefined if there is none. @throws WorldFault `invalid_type`, `unknown_type`, `invalid_id` */
export async function entityAt(
  { world, signal }: Pick<ActionContext, 'world'> & CallOptions,
  type: string,
  id: string,
): Promise<Entity | undefined> {
  try {
    return entityFrom(await world.get(type, id, { signal }))
  } catch (error) {
    if (error instanceof WorldFault && error.code === 'entity_not_found') return undefined
    throw error
  }
}

function entityFrom({ json }: StoredEntity): Entity {
  return JSON.parse(json)
}
