/**
 * Interpretation of response bodies, using the names of docs/spec/decisions.md unless another reader is configured.
 */
import { fail } from './error.ts'
import type { DiscoverOutput, DiscoveryDocument, Entity, EntityList } from './protocol.ts'
import { isObject } from './protocol.ts'

/** Converter from response bodies to results. Throws `invalid_response` if a body cannot be interpreted. */
export interface Reader {
  /** Returns the id of the world. A non-string value means that the world has no id. */
  worldId(document: DiscoveryDocument): unknown
  /** Returns an error body with `code`, `message` and `details` at the top level. */
  errorBody(body: unknown): unknown
  /** Returns the requested entity. */
  entity(body: unknown, type: string, id: string): Entity
  /** Returns a list page. `before` is the previous page of the same walk. */
  page(body: unknown, type: string, before: EntityList | undefined, response: Response): Promise<EntityList>
  /** Returns the output of `wp:discover`. `types` are the requested types. */
  output(body: unknown, types?: readonly string[]): Promise<DiscoverOutput>
  /** Returns details that name the members of the last page if its list may continue, or undefined if it is complete. */
  doubt(end: WalkEnd): Promise<Record<string, unknown> | undefined>
}

/** End of a walk: its last page, which has no cursor. */
export interface WalkEnd {
  readonly page: EntityList
  /** True if the walk has only this page and started without a cursor. */
  readonly isFirst: boolean
  /** Number of entities requested per page. */
  readonly pageSize: number | undefined
  /** Number of entities that the walk has read, on all its pages. */
  readonly read: number
  /** Requests the first page of the same list with a different limit. */
  readonly ask: (limit?: number) => Promise<EntityList>
}

/** Returns `body` as a page or search result. Throws `invalid_response` (details `members`) if it has no entity list. */
export function entitiesIn<T extends { entities: Entity[] }>(body: unknown): T {
  const members = isObject(body) ? body : {}
  return Array.isArray(members['entities'])
    ? (members as unknown as T)
    : fail('invalid_response', { members: Object.keys(members) })
}
