/** The precondition part of the store contract. */
import type { StoredEntity } from './stored-values.ts'

/** Conditions on the stored entity, all of which must hold. */
export interface Precondition {
  /** The entity exists and has one of these revisions. */
  readonly ifRevision?: readonly string[]
  /** The entity does not exist, or has none of these revisions. */
  readonly ifNotRevision?: readonly string[]
  /** The entity exists. */
  readonly ifPresent?: true
  /** The entity does not exist. */
  readonly ifAbsent?: true
}

/** Reports whether a stored entity satisfies a precondition. `existing` is undefined if there is no entity. */
export function preconditionHolds(
  { ifRevision, ifNotRevision, ifPresent, ifAbsent }: Precondition,
  existing: Pick<StoredEntity, 'revision'> | undefined,
): boolean {
  if (existing === undefined) return !ifRevision && !ifPresent
  if (ifAbsent || ifNotRevision?.includes(existing.revision)) return false
  // The revision of a damaged entity is unknown.
  if (ifRevision && existing.revision === '') return false
  return ifRevision === undefined || ifRevision.includes(existing.revision)
}
