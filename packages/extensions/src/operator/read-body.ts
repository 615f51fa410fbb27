/** Reads the body of a write, which may be gzipped, as strict JSON. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { WorldRequest } from '@worldwright/core'
import { codingOf, nothing, requireBodyType, textOf, WorldFault, wholeBody } from '@worldwright/core'
import { gunzipped, parseJson } from '@worldwright/entities'

/** Chunk size for decompression, in bytes. Large bodies take fewer event loop turns than with zlib's default of 16 KiB. */
const BLOCK_BYTES = 64 * 1024

/**
 * Parses a request body. Duplicate keys and unrepresentable numbers are invalid.
 * @throws WorldFault `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readWriteBody(
  request: WorldRequest,
  types: readonly string[],
  maxBytes: number,
): Promise<JsonValue> {
  const bytes = await wholeBody(request, maxBytes, unpackedBody(request, types))
  const parsed = parseJson(textOf(bytes))
  if ('value' in parsed) return parsed.value
  throw new WorldFault('invalid_json', `The request body: ${parsed.fault.message}.`)
}

/**
 * Returns the bytes of a body whose media type is one of `types`, decompressed if its encoding is gzip.
 * @throws WorldFault `unsupported_media_type` immediately; `invalid_request` while reading, if a gzip body is malformed
 */
export function unpackedBody(
  request: WorldRequest,
  types: readonly string[],
  body: AsyncIterable<Uint8Array> = request.body ?? nothing(),
): AsyncIterable<Uint8Array> {
  requireBodyType(request, types, ['identity', 'gzip'])
  return codingOf(request) === 'gzip' ? unpacked(body) : body
}

async function* unpacked(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipped(body, BLOCK_BYTES)
  } catch (cause) {
    if (cause instanceof WorldFault) throw cause
    throw new WorldFault('invalid_request', 'The body is not gzip.', { reason: 'bad_gzip' }, {}, { cause })
  }
}
