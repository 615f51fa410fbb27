/**
 * Conversion of HTTP responses to bodies or errors.
 */
import { attempt, fail, isText, WorldError } from './error.ts'
import { isObject } from './protocol.ts'

/** Returns `body` if it is a JSON object. Throws `invalid_response` if it is not. */
export function objectIn<T>(body: unknown): T {
  return isObject(body) ? (body as T) : fail('invalid_response')
}

/**
 * Parses a body as JSON. Returns `undefined` if it is not JSON in UTF-8. Throws `response_too_large` if the announced length
 * or the decoded body exceeds `maxBytes`, or if the body arrives in more than 100,000 chunks, since each chunk has a cost.
 * Calls `alive` for every chunk.
 */
export async function jsonFrom(
  { body, headers }: Response,
  maxBytes: number,
  alive: () => void,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const MAX_PARTS = 100_000
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; ; ) {
    const { value } = (await reader?.read()) ?? {}
    alive()
    if (!value) break
    size += value.length
    if (
      size > maxBytes ||
      Number(headers.get('content-length')) > maxBytes ||
      parts.push(value as Uint8Array<ArrayBuffer>) > MAX_PARTS
    ) {
      // Not awaited, because nothing depends on the result.
      reader?.cancel().catch(() => {})
      fail('response_too_large', { maxBytes })
    }
  }
  // Converted to text only after the last chunk, so that no work is spent on an endless body.
  const bytes = await new Blob(parts).arrayBuffer()
  return attempt(() => parse(new TextDecoder(undefined, { fatal: true }).decode(bytes)))
}

/** Returns the world's error, or `http_<status>` if the body is not a protocol error. */
export function errorFrom({ status, headers }: Response, body: unknown): WorldError {
  const told = isObject(body) && isText(body['code']) && isText(body['message']) ? body : {}
  const { code = `http_${status}`, message, details, requestId = headers.get('request-id') } = told
  return new WorldError(code as string, message as string | undefined, {
    details: (details ?? {}) as Record<string, unknown>,
    requestId: isText(requestId) ? requestId : undefined,
    retryAfter: retryAfterFrom(headers.get('retry-after') ?? ''),
  })
}

/** Parses `Retry-After` to seconds: whole seconds or an HTTP date (RFC 9110, 10.2.3). Any other value is ignored. */
export function retryAfterFrom(header: string): number | undefined {
  if (/^\d+$/.test(header)) return +header
  // Only dates that end in GMT, since `Date.parse` also accepts `-1` and `1.5`.
  const ms = Date.parse(/GMT$/.test(header) ? header : '') - Date.now()
  return ms > 0 ? Math.ceil(ms / 1000) : ms <= 0 ? 0 : undefined
}
