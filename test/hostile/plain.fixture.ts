/** Sends requests to a handler as plain data, so that tests can send thousands of them without a socket. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { WorldHandler } from '@worldwright/core'

/** Answer of a handler to a single request. */
export interface PlainAnswer {
  readonly status: number
  /** Error code; empty for a success. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request to a handler. Fails the test if an error lacks code or message (Level 1, errors 1). */
export async function ask(
  handler: WorldHandler,
  target: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<PlainAnswer> {
  const { method = 'GET', headers = {}, body } = options
  const sent = body === undefined ? {} : { body: pieces(body) }
  const answer = await handler.handle({ method, target, headers, origin: 'http://127.0.0.1:1', ...sent })
  const came = await text(pieces(answer.body ?? ''))
  if (answer.status < 400) return { status: answer.status, code: '', headers: answer.headers, body: came }
  const error = JSON.parse(came) as { code: unknown; message: unknown }
  assert.ok(typeof error.code === 'string' && error.code !== '', target)
  assert.ok(typeof error.message === 'string' && error.message !== '', target)
  return { status: answer.status, code: error.code, headers: answer.headers, body: came }
}

async function* pieces(body: string | Uint8Array | AsyncIterable<Uint8Array | string>) {
  if (typeof body === 'string' || body instanceof Uint8Array) yield Buffer.from(body)
  else for await (const piece of body) yield Buffer.from(piece)
}
