/** The body of a write: JSON read strictly, plain or gzipped. */
import type { JsonValue } from '@worldwright/client/protocol'
import { nothing, textOf, wholeBody } from '../handler/body.ts'
import type { WorldRequest } from '../handler/http.ts'
import { gunzipped } from '../publish/read/bytes.ts'
import { parseJson } from '../publish/read/json-text.ts'
import { WorldFault } from '../world/errors.ts'

/** As large as the blocks that come from a socket; a large body costs fewer turns than with zlib's 16 KiB. */
const BLOCK_BYTES = 64 * 1024

/**
 * The value in a request's body; repeated keys and numbers that cannot be held are no JSON here.
 * @throws WorldFault `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readWriteBody(
  request: WorldRequest,
  types: readonly string[],
  maxBytes: number,
): Promise<JsonValue> {
  requireType(request, types)
  const chunks = isGzipped(request) ? unpacked(request.body ?? nothing()) : request.body
  const parsed = parseJson(textOf(await wholeBody(request, maxBytes, chunks)))
  if ('value' in parsed) return parsed.value
  throw new WorldFault('invalid_json', `The request body: ${parsed.fault.message}.`)
}

/** Refuses a body of another type. @throws WorldFault `unsupported_media_type` */
export function requireType(request: WorldRequest, types: readonly string[]): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  const isUtf8 = charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset)
  const isReadable = isGzipped(request) || codingOf(request) === 'identity'
  if (types.includes(type.trim()) && isUtf8 && isReadable) return
  throw new WorldFault(
    'unsupported_media_type',
    `Send the body as ${types.join(' or ')}, in UTF-8, plain or gzipped.`,
    { supported: [...types] },
    { 'accept-post': types.join(', ') },
  )
}

/** Whether a body has to be unpacked. */
export function isGzipped(request: WorldRequest): boolean {
  return codingOf(request) === 'gzip'
}

function codingOf({ headers }: WorldRequest): string {
  return headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
}

/**
 * A gzipped body, unpacked.
 * @throws WorldFault `invalid_request` where it is no gzip, and as the body itself does
 */
export async function* unpacked(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipped(body, BLOCK_BYTES)
  } catch (cause) {
    if (cause instanceof WorldFault) throw cause
    throw new WorldFault('invalid_request', 'The body is not gzip.', { reason: 'bad_gzip' }, {}, { cause })
  }
}
