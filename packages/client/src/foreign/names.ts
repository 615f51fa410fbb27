/**
 * Names given by hand, for a world whose own names were not recognised or were mistaken.
 */

/**
 * Paths of the parts in a world's answers: member names separated by dots, such as `page.data`; an empty path is the whole
 * body. Parts left out are searched for.
 */
export interface Names {
  /** The list in the answer to a list request. */
  entities?: string | undefined
  /** The list in the answer to `wp:discover`, within its `output` if it has one. */
  found?: string | undefined
  /** The cursor of the next page in the answer to a list request. */
  cursor?: string | undefined
  /** The total number of entities, in both. */
  total?: string | undefined
  /** The entity within an item of a list, and within the answer to a request for one. */
  entity?: string | undefined
  /** The members of an entity, relative to the entity. */
  type?: string | undefined
  id?: string | undefined
  title?: string | undefined
  summary?: string | undefined
  attributes?: string | undefined
  /** In the discovery document: the identifier of the world, its name, its types and its actions. */
  world?: string | undefined
  worldName?: string | undefined
  types?: string | undefined
  actions?: string | undefined
}

/** Parts that can be named, in the order in which they are asked for: lists, then entities, then the discovery document. */
export const NAMEABLE = [
  'entities',
  'found',
  'cursor',
  'total',
  'entity',
  'type',
  'id',
  'title',
  'summary',
  'attributes',
  'world',
  'worldName',
  'types',
  'actions',
] as const satisfies readonly (keyof Names)[]
