/** Conditional requests (RFC 9110, 13): whether a client has a content already and gets 304 for it. */
import type { WorldRequest, WorldResponse } from './http.ts'
import type { Representation } from './representation.ts'
import { idOf } from './request-id.ts'

/** The response to one request, and no other: in full or 304, with the request's own id if it gave one. */
export function responseFrom(representation: Representation, request: WorldRequest): WorldResponse {
  const { notModified, full } = representation
  // On a write, the header is a precondition instead.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const response = notModified && isRead && isKnown(request.headers, representation) ? notModified : full
  const id = idOf(request)
  return id === undefined ? { ...response } : { ...response, requestId: id }
}

/** Whether `If-None-Match` names this entity tag: weak comparison, lists, and `*` (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one.replace(/^W\//, '') === opaque)
}

/** Whether `If-Match` names this entity tag: strong comparison, so that a weak tag never does (RFC 9110, 13.1.1). */
export function matchesStrongTag(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true
  return (ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one === tag && !one.startsWith('W/'))
}

/** What a client may know a content by. */
interface Validators {
  readonly etag?: string | undefined
  /** An HTTP date. */
  readonly lastModified?: string | undefined
}

/** Whether a client that reads has this content: a date counts only where it names no tags (RFC 9110, 13.1.3). */
export function isKnown(asked: WorldRequest['headers'], { etag, lastModified }: Validators): boolean {
  const tags = asked['if-none-match']
  if (tags !== undefined) return etag !== undefined && (tags === etag || matchesTag(tags, etag))
  return lastModified !== undefined && isModifiedSince(lastModified, asked['if-modified-since']) === false
}

/** Whether a content is newer than a date; undefined if the field is absent, or no date. */
export function isModifiedSince(lastModified: string, field: string | undefined): boolean | undefined {
  const since = field?.endsWith(' GMT') ? Date.parse(field) : Number.NaN
  return Number.isNaN(since) ? undefined : Date.parse(lastModified) > since
}
