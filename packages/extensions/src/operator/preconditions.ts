/** Converts `If-Match` and `If-None-Match` of a write to the store's preconditions (RFC 9110, 13; decisions 8). */
import type { WorldRequest } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import type { Precondition, StoredEntity } from '@worldwright/core/store'

/**
 * Returns the precondition of a write; undefined if the request has none. Tags compare strongly: a weak tag never
 * matches.
 * @throws WorldFault `invalid_request` for a header that lists no tags.
 */
export function preconditionOf({ headers }: WorldRequest): Precondition | undefined {
  const match = tagsOf(headers['if-match'], 'If-Match')
  const noneMatch = tagsOf(headers['if-none-match'], 'If-None-Match')
  if (match === undefined && noneMatch === undefined) return undefined
  return {
    ...(match && (match === '*' ? { ifPresent: true } : { ifRevision: match })),
    ...(noneMatch && (noneMatch === '*' ? { ifAbsent: true } : { ifNotRevision: noneMatch })),
  }
}

/** Returns the 412: why the precondition does not hold for the stored entity, with the revision of that. */
export function preconditionFailed(
  { ifAbsent, ifNotRevision }: Precondition,
  current: StoredEntity | undefined,
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

function tagsOf(header: string | undefined, name: string): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags = header.match(/(?:W\/)?"[^"]*"/g)
  if (tags === null || header.replace(/(?:W\/)?"[^"]*"/g, '').replace(/[\s,]/g, '') !== '')
    throw new WorldFault('invalid_request', `${name} lists entity tags such as "…", or is *.`, {
      reason: 'malformed_header',
    })
  return tags.filter((tag) => !tag.startsWith('W/')).map((tag) => tag.slice(1, -1))
}
