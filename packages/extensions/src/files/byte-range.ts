/** The part of a file that a request asks for (RFC 9110, 14). */

import type { WorldRequest, WorldResponse } from '@worldwright/core'
import { isKnown, isModifiedSince, matchesStrongTag, WorldFault } from '@worldwright/core'
import { withWriteTimeout } from './idle-timeout.ts'

/** From `start` up to, not including, `end`. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Returns the one range that the header field requests; undefined if there is none, or one that is not understood: then
 * the whole is sent. `none`: the range starts beyond the end.
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

/** Bytes that can be served in ranges: usually a file. */
export interface Ranged {
  readonly size: number
  /** A strong entity tag of the content, quotes included. */
  readonly etag: string
  /** If they include `last-modified`, no two contents share its value. */
  readonly headers: Readonly<Record<string, string>>
  /** Yields the bytes from `start` up to, not including, `end`. Opens nothing before the first is requested. */
  bytes(start: number, end: number): AsyncGenerator<Uint8Array>
}

/**
 * Returns the whole, or the range that a GET requests: 206, or 416 if it starts beyond the end. If `If-Range` names another
 * content, the whole is sent; if `If-Match` does, or without it `If-Unmodified-Since` is older, the request is refused. A
 * transfer that stalls for a minute ends.
 * @throws WorldFault `precondition_failed`
 */
export function rangedResponse({ method, headers: asked }: WorldRequest, ranged: Ranged): WorldResponse {
  const { size, etag } = ranged
  const lastModified = ranged.headers['last-modified']
  if (!isExpected(asked, etag, lastModified))
    throw new WorldFault('precondition_failed', 'The content has changed.', { etag })
  // The handler answers 304 to a client that has the whole already, whatever range it requested.
  const isWhole = method !== 'GET' || isKnown(asked, { etag, lastModified })
  // A client that has a part of another content needs the whole.
  const condition = asked['if-range']?.trim()
  const isSame = condition === undefined || condition === etag || condition === lastModified
  const range = isWhole || !isSame ? undefined : byteRange(asked['range'], size)
  if (range === 'none') return outside(size)
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

function outside(size: number): WorldResponse {
  const body = {
    code: 'invalid_request',
    message: `The range lies behind the end: there are ${size} bytes.`,
    details: {},
  }
  return {
    status: 416,
    headers: {
      'content-type': 'application/json',
      'content-range': `bytes */${size}`,
      'cache-control': 'no-store',
      'world-error-code': body.code,
    },
    body: JSON.stringify(body),
  }
}
