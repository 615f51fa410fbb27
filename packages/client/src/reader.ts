/**
 * Interpretation of bodies: by our names (docs/spec/decisions.md), unless a world was connected with another reader.
 */
import { fail } from './error.ts'
import type { DiscoverOutput, DiscoveryDocument, Entity, EntityList } from './protocol.ts'
import { isObject } from './protocol.ts'

/** Turns the bodies of a world into the results of calls, or throws `invalid_response`. */
export interface Reader {
  /** Returns the identifier of the world; not a string if it has none. */
  worldId(document: DiscoveryDocument): unknown
  /** Returns an error body with its `code`, `message` and `details` at the top. */
  errorBody(body: unknown): unknown
  /** Returns the requested entity. */
  entity(body: unknown, type: string, id: string): Entity
  /** Returns a page of a list, after the page `before` of the same walk. */
  page(body: unknown, type: string, before?: EntityList): EntityList
  /** Returns the output of `wp:discover` for these types. */
  output(body: unknown, types?: readonly string[]): DiscoverOutput
  /** Returns the members that make the end of a list doubtful, for a page without a cursor; nothing if the end is certain. */
  doubt(end: WalkEnd): Promise<Record<string, unknown> | undefined>
}

/** End of a walk: a page that names no further cursor. */
export interface WalkEnd {
  readonly page: EntityList
  /** It is the only page: no cursor was followed. */
  readonly isFirst: boolean
  /** Entities requested per page. */
  readonly pageSize: number | undefined
  /** Entities on all pages of this walk. */
  readonly read: number
  /** Requests another page of the same list. */
  readonly ask: (limit?: number, cursor?: string) => Promise<EntityList>
}

/** Checks that a page or search result has a list of entities, else `invalid_response`, details `members`: its members. */
export function entitiesIn<T extends { entities: Entity[] }>(body: unknown): T {
  const members = isObject(body) ? body : {}
  return Array.isArray(members['entities'])
    ? (members as unknown as T)
    : fail('invalid_response', { members: Object.keys(members) })
}
