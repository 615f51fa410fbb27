/** Requests of webhooks, signed by the rules of Standard Webhooks 1.0.0 (standardwebhooks.com). */
import { createHmac } from 'node:crypto'
import { retryAfterFrom } from '@worldwright/client/follow'
import { sha256 } from '@worldwright/core/store'

/** Maximum pause that a receiver can ask for, in seconds. */
const MAX_RETRY_AFTER = 3_600

/** Parses secrets of the form `whsec_…` with 24 to 64 bytes, separated by spaces. Returns undefined if one is malformed. */
export function signingKeys(text: string): readonly Uint8Array[] | undefined {
  const coded = text.split(' ').map((secret) => /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '')
  const keys = coded.map((key) => Buffer.from(key, 'base64'))
  return keys.every(({ length }) => length >= 24 && length <= 64) ? keys : undefined
}

/**
 * POSTs a body, signed with each key, and returns once the receiver has answered 2xx. Equal bodies have the same
 * `webhook-id`. Follows no redirect, and does not read the body of the response.
 * @throws an error with `status` and `retryAfter` for any other status, and the errors of `fetch`
 */
export async function signedPost(
  { url, keys }: { readonly url: string; readonly keys: readonly Uint8Array[] },
  body: string,
  signal: AbortSignal,
): Promise<void> {
  const id = `msg_${sha256(body)}`
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signed = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signed.map((digest) => `v1,${digest.digest('base64')}`).join(' '),
  }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  // Not awaited: a receiver could send without end.
  response.body?.cancel().catch(() => {})
  const { ok, status } = response
  const retryAfter = Math.min(retryAfterFrom(response.headers.get('retry-after') ?? '') ?? 0, MAX_RETRY_AFTER)
  if (!ok) throw Object.assign(new Error(`the receiver answered ${status}`), { status, retryAfter })
}
