import { WorldFault } from '@worldwright/core'
import type { Precondition, StoredEntity } from '@worldwright/core/store'

/** Returns a 412 error with the failed precondition and the revision of the stored entity. */
export function preconditionFailed(
  { ifAbsent, ifNotRevision }: Precondition,
  current: Pick<StoredEntity, 'revision'> | undefined,
): WorldFault {
  if (current === undefined) return new WorldFault('precondition_failed', 'There is no such entity.')
  const { revision } = current
  const message = ifAbsent
    ? 'There is such an entity already.'
    : ifNotRevision?.includes(revision)
      ? 'The entity is one of those named.'
      : 'The entity has changed; this is its revision now.'
  return new WorldFault('precondition_failed', message, { revision })
}
