/** Content codings of `node:zlib`. They run on a thread pool, so that a large page never blocks other requests. */
import { pipeline, Readable, type Transform } from 'node:stream'
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
import type { ContentCoding } from '@worldwright/core'

/** Brotli quality 4 of 11: costs about as much as gzip at a better ratio. Higher qualities cost up to ten times as much. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Content codings that Node.js can encode. Among codings that a client weighs equally, the first is used. */
export const nodeCodings: readonly ContentCoding[] = [
  {
    name: 'br',
    encode: (body) => promisify(brotliCompress)(body, BROTLI),
    encodePieces: (pieces) => through(createBrotliCompress(BROTLI), pieces),
  },
  {
    name: 'zstd',
    encode: promisify(zstdCompress),
    encodePieces: (pieces) => through(createZstdCompress(), pieces),
  },
  {
    name: 'gzip',
    encode: promisify(gzip),
    encodePieces: (pieces) => through(createGzip(), pieces),
  },
]

function through(coder: Transform, pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array> {
  // Either end closes the other. An error surfaces when the chunks are read.
  pipeline(Readable.from(pieces), coder, () => {})
  return coder
}
