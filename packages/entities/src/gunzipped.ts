/** Unpacks data that is sent or stored as gzip. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Unpacks a gzip stream into blocks of at most `blockBytes`. @throws an error of zlib if it is not gzip */
export function gunzipped(packed: AsyncIterable<Uint8Array>, blockBytes: number): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: blockBytes })
  // The callback keeps a failure of either side from being unhandled; the reader gets it from the stream itself.
  pipeline(Readable.from(packed, { objectMode: true }), gunzip, () => {})
  return gunzip
}
