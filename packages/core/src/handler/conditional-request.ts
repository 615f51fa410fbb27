/** Conditional requests (RFC 9110, 13): a client that already has the current content gets 304. */
import type { WorldRequest, WorldResponse } from './http.ts'
import type { Representation } from './representation.ts'
import { idOf } from './request-id.ts'

/** Returns a response of its own for one request: in full or 304, with the request's id if it has one. */
export function responseFrom(representation: Representation, request: WorldRequest): WorldResponse {
  const { notModified, full } = representation
  // On a write, the header is a precondition instead.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const response = notModified && isRead && isKnown(request.headers, representation) ? notModified : full
  const id = idOf(request)
  return id === undefined ? { ...response } : { ...response, requestId: id }
}

/** Reports whether `If-None-Match` names this entity tag: weak comparison, lists, and `*` (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one.replace(/^W\//, '') === opaque)
}

/** Reports whether `If-Match` names this entity tag: strong comparison, so a weak tag never matches (RFC 9110, 13.1.1). */
export function matchesStrongTag(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true
  return (ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one === tag && !one.startsWith('W/'))
}

/** Validators that a client may hold for a content. */
interface Validators {
  readonly etag?: string | undefined
  /** An HTTP date. */
  readonly lastModified?: string | undefined
}

/** Reports whether a reading client has this content: a date counts only if the client sends no tags (RFC 9110, 13.1.3). */
export function isKnown(asked: WorldRequest['headers'], { etag, lastModified }: Validators): boolean {
  const tags = asked['if-none-match']
  if (tags !== undefined) return etag !== undefined && (tags === etag || matchesTag(tags, etag))
  return lastModified !== undefined && isModifiedSince(lastModified, asked['if-modified-since']) === false
}

/** Reports whether a content is newer than a date; undefined if the field is absent or not a date. */
export function isModifiedSince(lastModified: string, field: string | undefined): boolean | undefined {
  const since = field?.endsWith(' GMT') ? Date.parse(field) : Number.NaN
  return Number.isNaN(since) ? undefined : Date.parse(lastModified) > since
}
