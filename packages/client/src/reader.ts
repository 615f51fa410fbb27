/**
 * How bodies are read: by our names (docs/spec/decisions.md), unless a world was connected with another reader.
 */
import { fail } from './error.ts'
import type { DiscoverOutput, DiscoveryDocument, Entity, EntityList } from './protocol.ts'
import { isObject } from './protocol.ts'

/** Makes of the bodies of a world what the calls answer with, or throws `invalid_response`. */
export interface Reader {
  /** The identifier of the world; no text where it has none. */
  worldId(document: DiscoveryDocument): unknown
  /** An error body with its `code`, `message` and `details` at the top. */
  errorBody(body: unknown): unknown
  /** The entity that was asked for. */
  entity(body: unknown, type: string, id: string): Entity
  /** A page of a list, after the page `before` of the same walk. */
  page(body: unknown, type: string, before?: EntityList): EntityList
  /** What `wp:discover` answered when these types were asked for. */
  output(body: unknown, types?: readonly string[]): DiscoverOutput
  /** What leaves it open whether a list goes on after a page that names no cursor; nothing where it is sure to end. */
  doubt(end: WalkEnd): Promise<Record<string, unknown> | undefined>
}

/** Where a walk ends: at a page that names no further cursor. */
export interface WalkEnd {
  readonly page: EntityList
  /** Whether it is the only page: no cursor has been followed. */
  readonly isFirst: boolean
  /** Entities that were asked for with each page. */
  readonly pageSize: number | undefined
  /** Entities on all pages of this walk. */
  readonly read: number
  /** Asks for another page of the same list. */
  readonly ask: (limit?: number, cursor?: string) => Promise<EntityList>
}

/** A page or a search result that has a list of entities, else `invalid_response`, details `members`: what was there. */
export function entitiesIn<T extends { entities: Entity[] }>(body: unknown): T {
  const members = isObject(body) ? body : {}
  return Array.isArray(members['entities'])
    ? (members as unknown as T)
    : fail('invalid_response', { members: Object.keys(members) })
}
