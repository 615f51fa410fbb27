/** `If-Match` and `If-None-Match` of a write, as what storage checks (RFC 9110, 13; decisions 8). */

import type { WorldRequest } from '../handler/http.ts'
import type { Precondition, StoredEntity } from '../storage/contract.ts'
import { WorldFault } from '../world/errors.ts'

/**
 * What must be true for a write to happen; undefined where anything may be. Tags compare strongly: a weak one never
 * matches. `current` is what stands there now; where it fails already, so does this.
 * @throws WorldFault `precondition_failed`, `invalid_request` for a header that lists no tags.
 */
export function preconditionOf(
  { headers }: WorldRequest,
  current: StoredEntity | undefined,
): Precondition | undefined {
  const ifMatch = headers['if-match']
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    const tags = tagsOf(ifNoneMatch, 'If-None-Match')
    if (current !== undefined && (tags === '*' || tags.has(current.revision)))
      throw failed(
        current,
        tags === '*' ? 'There is such an entity already.' : 'The entity is one of those named.',
      )
    if (ifMatch === undefined) {
      // Other revisions than those named may be there: the one that is must still be when it is written.
      if (tags === '*' || current === undefined) return { ifAbsent: true }
      return { ifRevision: current.revision }
    }
  }
  if (ifMatch === undefined) return undefined
  const tags = tagsOf(ifMatch, 'If-Match')
  if (current === undefined || (tags !== '*' && !tags.has(current.revision))) throw failed(current)
  return tags === '*' ? { ifPresent: true } : { ifRevision: current.revision }
}

/** 412, with the revision that stands there now. `why` is said where an entity does. */
export function failed(current: StoredEntity | undefined, why = 'The entity is another by now.'): WorldFault {
  return new WorldFault(
    'precondition_failed',
    current ? why : 'There is no such entity.',
    current ? { revision: current.revision } : {},
  )
}

function tagsOf(header: string, name: string): '*' | Set<string> {
  if (header.trim() === '*') return '*'
  const tags = header.match(/(?:W\/)?"[^"]*"/g)
  if (tags === null || header.replace(/(?:W\/)?"[^"]*"/g, '').replace(/[\s,]/g, '') !== '')
    throw new WorldFault('invalid_request', `${name} lists entity tags such as "…", or is *.`, {
      reason: 'malformed_header',
    })
  return new Set(tags.filter((tag) => !tag.startsWith('W/')).map((tag) => tag.slice(1, -1)))
}
