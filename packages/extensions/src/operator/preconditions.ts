/** Converts the headers `If-Match` and `If-None-Match` of a write to store preconditions (RFC 9110, 13; decisions 8). */
import { WorldFault, type WorldRequest } from '@worldwright/core'
import type { Precondition } from '@worldwright/core/store'

/**
 * Returns the precondition of a write, or undefined if it has none. Tags are compared strongly, so a weak tag never matches.
 * @throws WorldFault `invalid_request` if a header contains no tags
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
