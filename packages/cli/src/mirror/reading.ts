/** Statement that ends a mirror run: the types that were read or skipped, the members that were lost, and changes meanwhile. */
import type { EntityList, WorldError } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'
import { leavesIn } from '@worldwright/extensions/list-reader'

/** Result of reading one type of a world. */
export interface TypeReading {
  /** Number of entities; 0 if the type was skipped, of which the mirror keeps those of an earlier run. */
  entities: number
  /** Number of list pages; absent if the world was read by its changes. */
  pages?: number
  /** Paths of members that were neither used nor kept, in items and, prefixed by `page: `, in pages. */
  unused?: string[]
  /** Error that ended the walk of the type. Its message may end with advice for the user. */
  skipped?: Pick<WorldError, 'code' | 'message' | 'url'>
}

/** Comparison of the facts that the world tells before and after it was read. */
export interface Meanwhile {
  /** True if a fact differs, false if all are the same, null if the world tells too few. */
  readonly changed: boolean | null
  /** Names of the facts that differ, or, if `changed` is not true, of those that were compared. */
  readonly by: readonly string[]
}

/** Statement that a run of the mirror ends with. */
export interface Reading {
  /** Types that the world declares, and further types in its change log. */
  readonly types: Readonly<Record<string, TypeReading>>
  /** Entries of the type list that are not recognised, as received. */
  readonly unrecognised: readonly unknown[]
  /** Number of pages, of lists or of changes. */
  readonly pages: number
  readonly meanwhile: Meanwhile
}

/** Names of page members that need no interpretation (decisions, D3-1). */
const OURS = ['entities', 'nextCursor', 'total', 'limit']

/** Adds the paths of the members of a page to `used` or `unused`. Entities are not searched. */
export function notePage(page: EntityList, used: Set<string>, unused: Set<string>): void {
  const { body, found } = interpretationOf(page) ?? { body: {}, found: {} }
  const paths = Object.values(found).flatMap((part) => part?.path ?? [])
  for (const path of paths) used.add(`page: ${path}`)
  // If the body is itself the list, it has no other members.
  if (Array.isArray(body)) return
  for (const { path } of leavesIn(body, [...OURS, ...paths])) unused.add(`page: ${path}`)
}
