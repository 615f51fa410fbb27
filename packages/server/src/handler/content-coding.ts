/** Compressing a response body. Runs on the thread pool, so that a large page never holds up other requests. */

import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { ContentCoding } from './content-negotiation.ts'

/** The codings this runtime can write; zstd only where it has it. */
export const CODINGS: readonly ContentCoding[] =
  typeof zstdCompress === 'function' ? ['br', 'zstd', 'gzip'] : ['br', 'gzip']

/** Smaller bodies gain less than a packet and are sent as they are. */
export const MIN_CODED_BYTES = 1_024

/** Quality 4 of 11: about gzip's cost with a better ratio; the higher ones cost ten times as much. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** `body` in a content coding. */
export async function encodeBody(body: Uint8Array, coding: ContentCoding): Promise<Uint8Array> {
  if (coding === 'br') return promisify(brotliCompress)(body, BROTLI)
  if (coding === 'zstd') return promisify(zstdCompress)(body)
  return promisify(gzip)(body)
}

/** The pieces of a body in a content coding, made as they are read. An error of their source is one of these pieces. */
export function encodePieces(
  pieces: AsyncIterable<Uint8Array | string>,
  coding: ContentCoding,
): AsyncIterable<Uint8Array> {
  const coder =
    coding === 'br' ? createBrotliCompress(BROTLI) : coding === 'zstd' ? createZstdCompress() : createGzip()
  // Each end of it ends the other; what went wrong comes out where the pieces are read.
  pipeline(Readable.from(pieces), coder, () => {})
  return coder
}
