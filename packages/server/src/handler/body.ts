/** Reading the body of a request whole, and no more of it than it may have. */
import { WorldFault } from '../world/errors.ts'
import type { WorldRequest } from './http.ts'

/**
 * A body that is refused for no more than this beyond its limit is let come to its end: to clients and proxies that are
 * still sending it, a connection that closes is a broken world and no answer.
 */
const MAX_UNREAD_BYTES = 1_048_576
/** What is left of the body is not read, so the connection cannot carry another request. */
const CLOSE = { connection: 'close' }

/**
 * The bytes of a body. `chunks` are what it is read from, where that is not the body as it was sent.
 * @throws WorldFault `payload_too_large`, before reading where Content-Length tells, otherwise as soon as the limit is
 *   passed
 */
export async function wholeBody(
  request: WorldRequest,
  maxBytes: number,
  chunks: AsyncIterable<Uint8Array> = request.body ?? nothing(),
): Promise<Buffer> {
  const { headers } = request
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > maxBytes) {
    const isAwaited = headers['expect'] === undefined && declared <= maxBytes + MAX_UNREAD_BYTES
    throw tooLarge(maxBytes, isAwaited ? {} : CLOSE)
  }
  const parts: Uint8Array[] = []
  for await (const chunk of atMost(maxBytes, chunks)) parts.push(chunk)
  return Buffer.concat(parts)
}

/** The chunks of a body. @throws WorldFault `payload_too_large` at the first one that passes the limit */
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

/** Text as JSON bodies have it. @throws WorldFault `invalid_json` where the bytes are no UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw notJson(cause)
  }
}

/** What bytes are answered with that are no JSON. */
export function notJson(cause: unknown): WorldFault {
  return new WorldFault('invalid_json', 'The request body is not JSON in UTF-8.', {}, {}, { cause })
}

/** The body of a request without one. */
export async function* nothing(): AsyncGenerator<Uint8Array> {}

function tooLarge(maxBytes: number, headers: Readonly<Record<string, string>>): WorldFault {
  const message = `The request body may have ${maxBytes} bytes at most.`
  return new WorldFault('payload_too_large', message, { maxBytes }, headers)
}
