/** Reads request bodies. Checks the declared type and size first, and enforces the size limit while reading. */
import type { JsonValue } from '@worldwright/client/protocol'
import { joinedBytes } from '../store/bytes.ts'
import { WorldFault } from '../world/errors.ts'
import { MAX_JSON_DEPTH } from '../world/limits.ts'
import type { WorldRequest } from './http.ts'

/**
 * Maximum number of bytes beyond the size limit that are still drained from a refused body. A client or proxy that is
 * still sending treats a closed connection as a server failure, and never sees the response.
 */
const MAX_UNREAD_BYTES = 1_048_576
/** Closes the connection, because the unread rest of the body prevents its reuse. */
const CLOSE = { connection: 'close' }

/** Returns the fault for a body that ended early, or `cause` itself if it is already a fault. */
export function incompleteBody(cause: unknown): WorldFault {
  if (cause instanceof WorldFault) return cause
  const details = { reason: 'incomplete_body' }
  return new WorldFault('invalid_request', 'The request body is not complete.', details, {}, { cause })
}

/**
 * Reads and parses a JSON body.
 * @throws WorldFault `unsupported_media_type`; `payload_too_large` as in `wholeBody`; `invalid_json`, also for deep nesting
 */
export async function readJson(request: WorldRequest, maxBytes: number): Promise<JsonValue> {
  requireBodyType(request, ['application/json'], ['identity'])
  const text = textOf(await wholeBody(request, maxBytes))
  try {
    const value: JsonValue = JSON.parse(text)
    if (!isDeeper(value, MAX_JSON_DEPTH)) return value
  } catch (cause) {
    throw notJson(cause)
  }
  throw new WorldFault('invalid_json', `The request body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** Requires one of these media types and codings, and UTF-8. @throws WorldFault `unsupported_media_type` */
export function requireBodyType(
  request: WorldRequest,
  types: readonly string[],
  codings: readonly ('identity' | 'gzip')[],
): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset'))
  const isUtf8 = charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset)
  if (types.includes(type.trim()) && isUtf8 && codings.some((coding) => coding === codingOf(request))) return
  const form = codings.includes('gzip') ? 'plain or gzipped' : 'without a content coding'
  const message = `Send the body as ${types.join(' or ')}, ${form}, with text in UTF-8.`
  const headers = { 'accept-post': types.join(', ') }
  throw new WorldFault('unsupported_media_type', message, { supported: [...types] }, headers)
}

/** Returns the content coding of a body in lower case, or `identity` if it has none. */
export function codingOf({ headers }: WorldRequest): string {
  return headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
}

/**
 * Reads a whole body. `chunks` replaces the body as sent, for example by its decompressed form.
 * @throws WorldFault `payload_too_large`: before reading if Content-Length exceeds the limit, otherwise once the bytes read
 * exceed it
 */
export async function wholeBody(
  request: WorldRequest,
  maxBytes: number,
  chunks: AsyncIterable<Uint8Array> = request.body ?? nothing(),
): Promise<Uint8Array> {
  const { headers } = request
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > maxBytes) {
    const isAwaited = headers['expect'] === undefined && declared <= maxBytes + MAX_UNREAD_BYTES
    throw tooLarge(maxBytes, isAwaited ? {} : CLOSE)
  }
  const parts: Uint8Array[] = []
  for await (const chunk of atMost(maxBytes, chunks)) parts.push(chunk)
  return joinedBytes(parts)
}

/** Yields the chunks of a body. @throws WorldFault `payload_too_large` at the chunk that exceeds the limit */
export async function* atMost(
  maxBytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes, CLOSE)
    yield chunk
  }
}

/** Decodes a JSON body as UTF-8. @throws WorldFault `invalid_json` if the bytes are malformed */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw notJson(cause)
  }
}

function notJson(cause: unknown): WorldFault {
  return new WorldFault('invalid_json', 'The request body is not JSON in UTF-8.', {}, {}, { cause })
}

/** Yields no chunks; used for requests without a body. */
export async function* nothing(): AsyncGenerator<Uint8Array> {}

function tooLarge(maxBytes: number, headers: Readonly<Record<string, string>>): WorldFault {
  const message = `The request body may have ${maxBytes} bytes at most.`
  return new WorldFault('payload_too_large', message, { maxBytes }, headers)
}
