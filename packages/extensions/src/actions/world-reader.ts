/** Read access to a world for action handlers: entities as values, and one signal for everything that a call reads. */
import type { Entity } from '@worldwright/client/protocol'
import type { ActionContext } from '@worldwright/core'
import { DISCOVER_DEFAULT, DISCOVER_MAX, LIST_MAX, SEARCH_BUDGET_MS, WorldFault } from '@worldwright/core'
import type { StoredEntity } from '@worldwright/core/store'

/** A search by a handler. */
export interface ReaderSearch {
  readonly types?: readonly string[]
  readonly text?: string
  /** Default 20, at most 100. */
  readonly limit?: number
}

/** Reads the world that an action belongs to. Its functions need no `this`. */
export interface WorldReader {
  /** Returns undefined if there is no such entity. @throws WorldFault `invalid_type`, `unknown_type`, `invalid_id` */
  get(type: string, id: string): Promise<Entity | undefined>
  /** Iterates over all entities of a type, ascending by id. @throws WorldFault `invalid_type`, `unknown_type` */
  entities(type: string): AsyncIterable<Entity>
  /** Returns the matches, best first, as `wp:discover` does. */
  discover(search: ReaderSearch): Promise<Entity[]>
}

/** Makes the reader of one call. Aborting the signal abandons its pending reads. */
export function createReader({ world, signal, client }: ActionContext): WorldReader {
  return {
    async get(type, id) {
      try {
        return entityFrom(await world.get(type, id, { signal }))
      } catch (error) {
        if (error instanceof WorldFault && error.code === 'entity_not_found') return undefined
        throw error
      }
    },
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

function entityFrom({ json }: StoredEntity): Entity {
  return JSON.parse(json)
}
