/**
 * From an HTTP response to a body or an error.
 */
import { WorldError } from './error.ts'

/**
 * The JSON of a success (2xx), `undefined` where it is not JSON in UTF-8. Otherwise it throws the world's own error,
 * `http_<status>` where the body is no protocol error, and `response_too_large` as soon as more than `maxBytes`
 * came, counted after content decoding. `alive` is called for every part that arrives.
 */
export async function jsonFrom(response: Response, maxBytes: number, alive: () => void): Promise<unknown> {
  const body = parse(await read(response, maxBytes, alive))
  if (!response.ok) throw errorFrom(response, body)
  return body
}

/** Whether a value is an object with named members: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function read({ body }: Response, maxBytes: number, alive: () => void): Promise<ArrayBuffer> {
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (!part?.value) return new Blob(parts).arrayBuffer()
    alive()
    parts.push(part.value as Uint8Array<ArrayBuffer>)
    size += part.value.length
    if (size <= maxBytes) continue
    // Not awaited: nothing depends on how the other side takes it.
    reader?.cancel().catch(() => {})
    throw new WorldError('response_too_large', `More than ${maxBytes} bytes.`, { details: { maxBytes } })
  }
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function errorFrom({ status, headers }: Response, body: unknown): WorldError {
  const told =
    isObject(body) && typeof body['code'] === 'string' && typeof body['message'] === 'string' ? body : {}
  const { code = `http_${status}`, message = `HTTP status ${status}.`, details, requestId } = told
  return new WorldError(code as string, message as string, {
    details: isObject(details) ? details : {},
    requestId: typeof requestId === 'string' ? requestId : (headers.get('request-id') ?? undefined),
    retryAfter: secondsFrom(headers.get('retry-after') ?? ''),
  })
}

/** `Retry-After`: whole seconds or an HTTP date (RFC 9110, 10.2.3); anything else counts as absent. */
function secondsFrom(header: string): number | undefined {
  if (/^\d+$/.test(header)) return +header
  // Only the form that ends so: `Date.parse` also finds dates in `-1` and `1.5`.
  const date = /GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return date >= 0 ? Math.max(0, Math.ceil((date - Date.now()) / 1000)) : undefined
}
