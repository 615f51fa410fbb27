/** Reading a JSON request body: its declared type first, then its size, then its bytes. */
import type { JsonValue } from '@worldwright/client/protocol'
import { WorldFault } from '../world/errors.ts'
import { notJson, textOf, wholeBody } from './body.ts'
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
  const text = textOf(await wholeBody(request, maxBytes))
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(cause)
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
