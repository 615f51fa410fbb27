/** Content codings with `node:zlib`. They run on its thread pool, so that a large page never holds up other requests. */
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

/** Quality 4 of 11: about gzip's cost with a better ratio; higher qualities cost ten times as much. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Codings that Node.js can write. The first is preferred if a client weighs them equally. */
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
  // Either end closes the other; an error appears where the pieces are read.
  pipeline(Readable.from(pieces), coder, () => {})
  return coder
}
