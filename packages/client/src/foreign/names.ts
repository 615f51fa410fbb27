/**
 * Names given by hand, for a world whose own names are not recognised or are misinterpreted.
 */

/**
 * Paths to parts of a world's responses: member names separated by dots, such as `page.data`. An empty path is the whole
 * body. Parts without a path are searched for.
 */
export interface Names {
  /** The list in the response to a list request. */
  entities?: string | undefined
  /** The list in the response to `wp:discover`, relative to `output` if the response has that member. */
  found?: string | undefined
  /** The cursor of the next page in the response to a list request. */
  cursor?: string | undefined
  /** The total number of entities, in the responses to list requests and `wp:discover`. */
  total?: string | undefined
  /** The entity within a list item, and within the response to a request for one entity. */
  entity?: string | undefined
  /** The members of an entity. These paths start at the entity. */
  type?: string | undefined
  id?: string | undefined
  title?: string | undefined
  summary?: string | undefined
  attributes?: string | undefined
  /** Members of the discovery document: the world's id and name, its types and its actions. */
  world?: string | undefined
  worldName?: string | undefined
  types?: string | undefined
  actions?: string | undefined
}

/** Parts that can be named, in the order in which a user is asked for them: lists, entities, the discovery document. */
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
