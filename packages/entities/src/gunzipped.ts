/** Decompresses gzip data chunk by chunk. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Decompresses a gzip stream into chunks of at most `blockBytes`. @throws a zlib error if the data is not gzip */
export function gunzipped(packed: AsyncIterable<Uint8Array>, blockBytes: number): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: blockBytes })
  // The callback only prevents an unhandled error. The reader receives the error from `gunzip` itself.
  pipeline(Readable.from(packed, { objectMode: true }), gunzip, () => {})
  return gunzip
}
