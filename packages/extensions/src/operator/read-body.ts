/** Reads the body of a write: strict JSON, plain or gzipped. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { WorldRequest } from '@worldwright/core'
import { codingOf, nothing, requireBodyType, textOf, WorldFault, wholeBody } from '@worldwright/core'
import { gunzipped, parseJson } from '@worldwright/entities'

/** Matches the size of blocks from a socket; a large body takes fewer turns than with zlib's 16 KiB. */
const BLOCK_BYTES = 64 * 1024

/**
 * Returns the value in a request's body. Repeated keys and numbers that cannot be represented are invalid JSON here.
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
 * Returns the bytes of a body of one of these media types, unpacked if it is gzipped. `body`: the source of the bytes.
 * @throws WorldFault `unsupported_media_type` at once; while being read, `invalid_request` if it is not gzip
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
