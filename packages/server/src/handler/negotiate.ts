/** What the request headers ask of an answer: JSON or not, which content coding, only if it changed. */

import type { WorldRequest } from './http.ts'

/** Whether an `Accept` header lets JSON through (RFC 9110, 12.5.1): the most specific range decides, q=0 excludes. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accepted(accept)
}

/** The media type among those offered that an `Accept` header weighs most, the first of equal ones; undefined for none. */
export function preferredType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined) return offered[0]
  const acceptable = offered
    .map((type) => ({ type, quality: qualityOf(accept, type) }))
    .filter(({ quality }) => quality > 0)
  return acceptable.toSorted((one, other) => other.quality - one.quality)[0]?.type
}

const accepted = remembering((accept) => qualityOf(accept, 'application/json') > 0)

function qualityOf(accept: string, type: string): number {
  if (accept.trim() === '') return 1
  const ranges = weighted(accept)
  for (const range of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const quality = ranges.get(range)
    if (quality !== undefined) return quality
  }
  return 0
}

/** The content codings this server can write, the preferred one first where a client weighs them equally. */
export type ContentCoding = 'br' | 'zstd' | 'gzip'

/** The coding among those offered that an `Accept-Encoding` header weighs most; undefined for none. */
export function contentCoding(
  acceptEncoding: string | undefined,
  offered: readonly ContentCoding[],
): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = weighted(acceptEncoding)
  const any = weights.get('*') ?? 0
  let best: ContentCoding | undefined
  let bestQuality = 0
  for (const coding of offered) {
    const quality = weights.get(coding) ?? any
    if (quality > bestQuality) {
      best = coding
      bestQuality = quality
    }
  }
  // A client that weighs the plain form more gets it.
  return bestQuality >= (weights.get('identity') ?? 0) ? best : undefined
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

/** Whether a content is newer than a date; undefined where the field is absent, or no date. */
export function isModifiedSince(lastModified: string, field: string | undefined): boolean | undefined {
  const since = field?.endsWith(' GMT') ? Date.parse(field) : Number.NaN
  return Number.isNaN(since) ? undefined : Date.parse(lastModified) > since
}

/** The most values of one header remembered: browsers and programs use a handful. */
const MAX_REMEMBERED = 256

/** Reads each distinct header value once. A flood of different values only makes it forget. */
export function remembering<T>(read: (value: string) => T): (value: string) => T {
  const known = new Map<string, T>()
  return (value) => {
    const remembered = known.get(value)
    if (remembered !== undefined) return remembered
    const result = read(value)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(value, result)
    return result
  }
}

/** The members of a weighted list by lower-case name, parameters other than `q` left out. */
function weighted(header: string): Map<string, number> {
  const members = new Map<string, number>()
  for (const member of header.split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''))
    if (name !== '') members.set(name, Number.isNaN(quality) ? 0 : quality)
  }
  return members
}
