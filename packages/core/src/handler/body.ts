/** Request bodies: checks the declared type, then the declared size, then reads no more bytes than the limit. */
import type { JsonValue } from '@worldwright/client/protocol'
import { joinedBytes } from '../store/bytes.ts'
import { WorldFault } from '../world/errors.ts'
import { MAX_JSON_DEPTH } from '../world/limits.ts'
import type { WorldRequest } from './http.ts'

/**
 * Maximum excess over the limit, in bytes, up to which a refused body is still drained: a client or proxy that is still
 * sending takes a closed connection for a broken server, and never sees the answer.
 */
const MAX_UNREAD_BYTES = 1_048_576
/** Closes the connection: the rest of the body stays unread, so no further request can follow on it. */
const CLOSE = { connection: 'close' }

/**
 * Reads a JSON body as a value.
 * @throws WorldFault `unsupported_media_type`, `payload_too_large` as `wholeBody`, `invalid_json` also for too deep nesting
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

/** Reports whether arrays and objects are nested deeper than `levels`. */
function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** Refuses a body that has none of these media types, or is not UTF-8. @throws WorldFault `unsupported_media_type` */
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
  throw new WorldFault(
    'unsupported_media_type',
    `Send the body as ${types.join(' or ')}, in UTF-8, ${form}.`,
    { supported: [...types] },
    { 'accept-post': types.join(', ') },
  )
}

/** Returns the content coding of a body, in lower case; `identity` if it has none. */
export function codingOf({ headers }: WorldRequest): string {
  return headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
}

/**
 * Reads all bytes of a body. `chunks`: the chunks to read, if not the body as sent.
 * @throws WorldFault `payload_too_large`: before reading if Content-Length exceeds the limit, otherwise as soon as the
 * limit is passed
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

/** Yields the chunks of a body. @throws WorldFault `payload_too_large` at the first chunk that passes the limit */
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

/** Decodes the text of a JSON body. @throws WorldFault `invalid_json` if the bytes are not UTF-8 */
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

/** Yields nothing: the body of a request that has none. */
export async function* nothing(): AsyncGenerator<Uint8Array> {}

function tooLarge(maxBytes: number, headers: Readonly<Record<string, string>>): WorldFault {
  const message = `The request body may have ${maxBytes} bytes at most.`
  return new WorldFault('payload_too_large', message, { maxBytes }, headers)
}
