/** Conditional requests (RFC 9110, 13): a client that already has the current content gets a 304. */
import type { WorldRequest, WorldResponse } from './http.ts'
import type { Representation } from './representation.ts'
import { idOf } from './request-id.ts'

/** Returns a new response with the request's id, if any: a 304 if the client has the content, else the full response. */
export function responseFrom(representation: Representation, request: WorldRequest): WorldResponse {
  const { notModified, full } = representation
  // On a write, `If-None-Match` is a precondition instead.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const response = notModified && isRead && isKnown(request.headers, representation) ? notModified : full
  const id = idOf(request)
  return id === undefined ? { ...response } : { ...response, requestId: id }
}

/** Reports whether `If-None-Match` matches an entity tag by weak comparison. Supports lists and `*` (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one.replace(/^W\//, '') === opaque)
}

/** Reports whether `If-Match` matches an entity tag by strong comparison: a weak tag matches only `*` (RFC 9110, 13.1.1). */
export function matchesStrongTag(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true
  return (ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one === tag && !one.startsWith('W/'))
}

interface Validators {
  readonly etag?: string | undefined
  /** Time of the last modification, as an HTTP date. */
  readonly lastModified?: string | undefined
}

/** Reports whether the client already has this content. Ignores the date if entity tags are sent (RFC 9110, 13.1.3). */
export function isKnown(asked: WorldRequest['headers'], { etag, lastModified }: Validators): boolean {
  const tags = asked['if-none-match']
  if (tags !== undefined) return etag !== undefined && (tags === etag || matchesTag(tags, etag))
  return lastModified !== undefined && isModifiedSince(lastModified, asked['if-modified-since']) === false
}

/** Reports whether content was modified after the HTTP date in `field`. Returns undefined if there is no valid date. */
export function isModifiedSince(lastModified: string, field: string | undefined): boolean | undefined {
  const since = field?.endsWith(' GMT') ? Date.parse(field) : Number.NaN
  return Number.isNaN(since) ? undefined : Date.parse(lastModified) > since
}
