/** Reading a JSON request body: its declared type first, then its size, then its bytes. */
import type { JsonValue } from '@worldwright/client/protocol'
import { WorldFault } from '../world/errors.ts'
import type { WorldRequest } from './http.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i

/**
 * The request's body as a JSON value.
 * @throws WorldFault `unsupported_media_type`, `payload_too_large` (before reading where Content-Length tells,
 *   otherwise as soon as the limit is passed) or `invalid_json`.
 */
export async function readJson(request: WorldRequest, maxBytes: number): Promise<JsonValue> {
  requireJsonType(request)
  const declared = request.headers['content-length']
  if (declared !== undefined && Number(declared) > maxBytes) {
    const isAwaited = request.headers['expect'] === undefined && Number(declared) <= MAX_UNREAD_BYTES
    throw tooLarge(maxBytes, isAwaited ? {} : CLOSE)
  }
  const bytes = await readBytes(request, maxBytes)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw new WorldFault('invalid_json', 'The request body is not JSON in UTF-8.', {}, {}, { cause })
  }
}

function requireJsonType({ headers }: WorldRequest): void {
  const type = headers['content-type'] ?? ''
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (JSON_TYPE.test(type) && (charset === 'utf-8' || charset === 'utf8') && coding === 'identity') return
  throw new WorldFault(
    'unsupported_media_type',
    'Send the body as Content-Type: application/json, in UTF-8 and without a content coding.',
    { supported: ['application/json'] },
    { 'accept-post': 'application/json' },
  )
}

async function readBytes(request: WorldRequest, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes, CLOSE)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * A body that is refused and no larger than this is let come to its end: to proxies that are still sending it, a
 * connection that closes is a broken world and no answer.
 */
const MAX_UNREAD_BYTES = 1_048_576
/** What is left of the body is not read, so the connection cannot carry another request. */
const CLOSE = { connection: 'close' }

function tooLarge(maxBytes: number, headers: Readonly<Record<string, string>>): WorldFault {
  const message = `The request body may have ${maxBytes} bytes at most.`
  return new WorldFault('payload_too_large', message, { maxBytes }, headers)
}
