/** The part of the store contract about preconditions of single operations. */
import type { StoredEntity } from './stored-values.ts'

/** Conditions on the stored entity, all of which an operation requires. */
export interface Precondition {
  /** It exists, with one of these revisions. */
  readonly ifRevision?: readonly string[]
  /** It does not exist, or its revision is none of these. */
  readonly ifNotRevision?: readonly string[]
  /** It exists. */
  readonly ifPresent?: true
  /** It does not exist. */
  readonly ifAbsent?: true
}

/** Reports whether a stored entity meets a precondition; `existing` is undefined if there is none. */
export function preconditionHolds(
  { ifRevision, ifNotRevision, ifPresent, ifAbsent }: Precondition,
  existing: StoredEntity | undefined,
): boolean {
  if (existing === undefined) return !ifRevision && !ifPresent
  if (ifAbsent || ifNotRevision?.includes(existing.revision)) return false
  // The revision of a damaged entity is unknown.
  if (ifRevision && existing.revision === '') return false
  return ifRevision === undefined || ifRevision.includes(existing.revision)
}
