/**
 * Names given by hand, for a world whose own were not recognised or were taken for something else.
 */

/**
 * Where a world keeps what: each value is a path of member names with dots between them, such as `page.data`; an empty
 * one is the whole body. What is left out is looked for.
 */
export interface Names {
  /** The list in the answer to a list request. */
  entities?: string | undefined
  /** The list in the answer to `wp:discover`, from its `output` on where it has one. */
  found?: string | undefined
  /** The cursor of the next page in the answer to a list request. */
  cursor?: string | undefined
  /** The number of all entities, in both. */
  total?: string | undefined
  /** The entity within an item of a list, and within the answer to a request for one. */
  entity?: string | undefined
  /** The members of an entity, from the entity on. */
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

/** What can be named, in the order it is asked for: lists, then entities, then the discovery document. */
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
