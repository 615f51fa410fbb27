/**
 * Conversion of an HTTP response to a body or an error.
 */
import { attempt, fail, isText, WorldError } from './error.ts'
import { isObject } from './protocol.ts'

/** Checks that a body is a JSON object, else `invalid_response`. */
export function objectIn<T>(body: unknown): T {
  return isObject(body) ? (body as T) : fail('invalid_response')
}

/**
 * Parses the JSON of a body, `undefined` if it is not JSON in UTF-8. `response_too_large` if more than `maxBytes` are
 * announced or received, counted after content decoding, or more than 100,000 parts, since each of them has a cost.
 * `alive` is called for every part that arrives.
 */
export async function jsonFrom(
  { body, headers }: Response,
  maxBytes: number,
  alive: () => void,
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
      // Not awaited: nothing depends on the result.
      reader?.cancel().catch(() => {})
      fail('response_too_large', { maxBytes })
    }
  }
  // Decoded once all parts are there: an endless body never becomes text.
  const bytes = await new Blob(parts).arrayBuffer()
  return attempt(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
}

/** Returns the world's own error, or `http_<status>` if the body is not a protocol error. */
export function errorFrom({ status, headers }: Response, body: unknown): WorldError {
  const told = isObject(body) && isText(body['code']) && isText(body['message']) ? body : {}
  const { code = `http_${status}`, message, details, requestId = headers.get('request-id') } = told
  return new WorldError(code as string, message as string | undefined, {
    details: (details ?? {}) as Record<string, unknown>,
    requestId: isText(requestId) ? requestId : undefined,
    retryAfter: secondsFrom(headers.get('retry-after') ?? ''),
  })
}

/** Parses `Retry-After`: whole seconds or an HTTP date (RFC 9110, 10.2.3); anything else counts as absent. */
function secondsFrom(header: string): number | undefined {
  if (/^\d+$/.test(header)) return +header
  // Only dates that end in GMT: `Date.parse` also finds dates in `-1` and `1.5`.
  const ms = Date.parse(/GMT$/.test(header) ? header : '') - Date.now()
  return ms > 0 ? Math.ceil(ms / 1000) : ms <= 0 ? 0 : undefined
}
