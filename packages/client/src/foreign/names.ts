/**
 * Names of a world's members: given by hand, or found and proved, as a reading profile that can be saved and shared.
 */
import { assertArgument, isText } from '../error.ts'
import { isObject } from '../protocol.ts'

/**
 * Paths to parts of a world's responses: member names separated by dots, such as `page.data`. An empty path is the whole
 * body. The path of a cursor may also be a response header, as in `header:next-cursor`; `header:link` is the target with
 * `rel="next"`. Parts without a path are searched for.
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

/** Value of `profile` in reading profiles of this version. */
export const READING = 'worldwright/reading-1'

/** Names of a world's members, as plain JSON. Pass it to `connect` as `profile`, so that nothing needs to be proved again. */
export interface ReadingProfile {
  readonly profile: typeof READING
  /** Names that differ from ours. */
  readonly names: Names
  /** Keys of the names that requests to the world confirmed or that were given by hand. All other names are guesses. */
  readonly proved: readonly (keyof Names)[]
}

/** Returns parsed JSON as a profile. Throws `invalid_argument` (details `profile`) for anything else. */
export function profileFrom(value: unknown): ReadingProfile {
  const { profile, names, proved } = Object(value)
  const isProfile = profile === READING && isObject(names) && Object.values(names).every(isText)
  assertArgument(isProfile && Array.isArray(proved), { profile: value })
  return value as ReadingProfile
}
