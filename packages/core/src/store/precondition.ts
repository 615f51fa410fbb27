/** The part of the storage contract that is about conditions of single operations. */
import type { StoredEntity } from './stored-values.ts'

/** What must be true of the stored entity for an operation to happen: everything that is named. */
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

/** Whether what is stored is as a precondition says; `existing` is undefined if there is nothing. */
export function preconditionHolds(
  { ifRevision, ifNotRevision, ifPresent, ifAbsent }: Precondition,
  existing: StoredEntity | undefined,
): boolean {
  if (existing === undefined) return !ifRevision && !ifPresent
  if (ifAbsent || ifNotRevision?.includes(existing.revision)) return false
  // Of one that is damaged, nobody knows the revision.
  if (ifRevision && existing.revision === '') return false
  return ifRevision === undefined || ifRevision.includes(existing.revision)
}
