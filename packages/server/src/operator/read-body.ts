/** The body of a write: JSON read strictly, plain or gzipped. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { JsonValue } from '@worldwright/client/protocol'
import type { WorldRequest } from '../handler/http.ts'
import { parseJson } from '../publish/reading/json-text.ts'
import { WorldFault } from '../world/errors.ts'

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
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of plainBytes(request)) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  const parsed = parseJson(textOf(Buffer.concat(chunks)))
  if ('value' in parsed) return parsed.value
  throw new WorldFault('invalid_json', `The request body: ${parsed.fault.message}.`)
}

/** Refuses a body of another type. @throws WorldFault `unsupported_media_type` */
export function requireType({ headers }: WorldRequest, types: readonly string[]): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  const isUtf8 = charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset)
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (types.includes(type.trim()) && isUtf8 && (coding === 'identity' || coding === 'gzip')) return
  throw new WorldFault(
    'unsupported_media_type',
    `Send the body as ${types.join(' or ')}, in UTF-8, plain or gzipped.`,
    { supported: [...types] },
    { 'accept-post': types.join(', ') },
  )
}

/** The bytes of a body, unpacked where it is gzipped. @throws WorldFault `invalid_request` where it cannot be */
export async function* plainBytes(request: WorldRequest): AsyncGenerator<Uint8Array> {
  const body = request.body ?? (async function* () {})()
  if (request.headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return yield* body
  const source = Readable.from(body, { objectMode: false })
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw new WorldFault('invalid_request', 'The body is not gzip.', { reason: 'bad_gzip' }, {}, { cause })
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new WorldFault('invalid_json', 'The request body is not JSON in UTF-8.', {}, {}, { cause })
  }
}

function tooLarge(maxBytes: number): WorldFault {
  return new WorldFault(
    'payload_too_large',
    `The request body may have ${maxBytes} bytes at most.`,
    { maxBytes },
    { connection: 'close' },
  )
}
