/** Range requests (RFC 9110, 14). */

import type { WorldRequest, WorldResponse } from '@worldwright/core'
import {
  createRequestIds,
  errorResponse,
  idOf,
  isKnown,
  isModifiedSince,
  matchesStrongTag,
  WorldFault,
} from '@worldwright/core'
import { withWriteTimeout } from './idle-timeout.ts'

const requestId = createRequestIds()

/** Bytes from `start` (inclusive) to `end` (exclusive). */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Returns the single range that a `Range` header requests, or `none` if it starts beyond the end. Returns undefined if the
 * header is absent or unsupported, so that the whole content is sent.
 */
function byteRange(field: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(field?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'none'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

/** Content that can be served in ranges, usually a file. */
export interface Ranged {
  readonly size: number
  /** Strong entity tag of the content, including its quotes. */
  readonly etag: string
  /** Response headers. `last-modified`, if included, must differ between any two versions of the content. */
  readonly headers: Readonly<Record<string, string>>
  /** Yields the bytes from `start` (inclusive) to `end` (exclusive). Opens nothing before the first read. */
  bytes(start: number, end: number): AsyncGenerator<Uint8Array>
}

/**
 * Returns the whole content, the range that a GET requests (206), or an error if that range starts beyond the end (416). The
 * whole content is sent if `If-Range` does not match. The request is refused if `If-Match`, or in its absence
 * `If-Unmodified-Since`, does not match. A transfer that stalls for a minute is aborted.
 * @throws WorldFault `precondition_failed`
 */
export function rangedResponse(request: WorldRequest, ranged: Ranged): WorldResponse {
  const { method, headers: asked } = request
  const { size, etag } = ranged
  const lastModified = ranged.headers['last-modified']
  if (!isExpected(asked, etag, lastModified))
    throw new WorldFault('precondition_failed', 'The content has changed.', { etag })
  // A client that already has the current content gets a 304 from the handler, whatever range it requested.
  const isWhole = method !== 'GET' || isKnown(asked, { etag, lastModified })
  // A client that has part of a different version needs the whole content.
  const condition = asked['if-range']?.trim()
  const isSame = condition === undefined || condition === etag || condition === lastModified
  const range = isWhole || !isSame ? undefined : byteRange(asked['range'], size)
  if (range === 'none') return outside(request, size)
  const { start, end } = range ?? { start: 0, end: size }
  return {
    status: range ? 206 : 200,
    headers: {
      ...ranged.headers,
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(end - start),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
    body: withWriteTimeout(ranged.bytes(start, end)),
  }
}

function isExpected(asked: WorldRequest['headers'], etag: string, lastModified: string | undefined): boolean {
  const tags = asked['if-match']
  if (tags !== undefined) return matchesStrongTag(tags, etag)
  return lastModified === undefined || isModifiedSince(lastModified, asked['if-unmodified-since']) !== true
}

function outside(request: WorldRequest, size: number): WorldResponse {
  const message = `The range lies behind the end: there are ${size} bytes.`
  const fault = new WorldFault('invalid_request', message, {}, { 'content-range': `bytes */${size}` })
  return { ...errorResponse(fault, idOf(request) ?? requestId()), status: 416 }
}
