/** Represents a `node:http` request as plain data. Rarely needed members are created on first use. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { incompleteBody, WorldFault, type WorldRequest } from '@worldwright/core'
import { plainAddress } from './plain-address.ts'

/** Members of a request that describe its server. */
export type Server = Pick<WorldRequest, 'origin' | 'closing'>

type Headers = Record<string, string | undefined>

/** Request with lazy members. The body can be read once, while the connection is open. */
export class NodeRequest implements WorldRequest {
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly origin: string | undefined
  readonly closing: AbortSignal | undefined
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(request: IncomingMessage, response: ServerResponse, { origin, closing }: Server) {
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.headers = headersFrom(request.rawHeaders)
    this.origin = origin
    this.closing = closing
    this.#request = request
    this.#response = response
  }

  get body(): AsyncIterable<Uint8Array> {
    return bodyOf(this.#request, this.#response)
  }

  get client(): NonNullable<WorldRequest['client']> {
    const { remoteAddress: address = '', remotePort: connection = 0 } = this.#request.socket
    return { address: plainAddress(address), connection }
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response)
    return this.#signal
  }
}

/** Returns a signal that is aborted if the connection ends before the response has been sent. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const closed = () => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.closed) closed()
  else response.once('close', closed)
  return controller.signal
}

/** Time limit for the start of a body, in milliseconds. Each byte extends the remaining time by 1 ms, up to this limit. */
const BODY_GRACE_MS = 5_000

/**
 * Yields the body. The first read sends `100 Continue` to a client that expects it. Time between reads does not count.
 * @throws WorldFault `invalid_request` if the connection breaks before the body is complete, `request_timeout` if it arrives
 *   at less than 1,000 bytes per second
 */
async function* bodyOf(request: IncomingMessage, response: ServerResponse): AsyncGenerator<Uint8Array> {
  // HTTP/1.0 has no interim responses.
  const waits = request.headers.expect !== undefined && request.httpVersion === '1.1'
  if (waits && !response.headersSent) response.writeContinue()
  // The request stays open if reading ends early, because the response uses the same connection.
  const pieces: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false })
  let left = BODY_GRACE_MS
  try {
    for (;;) {
      const asked = performance.now()
      // A handler that has started its response while reading the body decides how long that may take.
      const next = pieces.next()
      const { done, value } = await (response.headersSent ? next : within(left, next))
      if (done) return
      const waited = performance.now() - asked
      left = Math.min(BODY_GRACE_MS, Math.max(0, left - waited) + value.byteLength)
      yield value
    }
  } catch (cause) {
    throw incompleteBody(cause)
  }
}

async function within<T>(ms: number, next: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const message = 'The request body came too slowly: send at least 1,000 bytes a second.'
    reject(new WorldFault('request_timeout', message, { reason: 'slow_body' }, { connection: 'close' }))
  }, ms)
  try {
    return await Promise.race([next, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Maximum number of field names cached in lower case. */
const MAX_NAMES = 512
const lowerCase = new Map<string, string>()

/**
 * Returns header fields by lower-case name, with repeated fields joined. Node.js could reject fields that must not be
 * repeated, but at several times the cost. Here such a field becomes a list.
 */
function headersFrom(raw: readonly string[]): Headers {
  const headers: Headers = {}
  for (let index = 0; index < raw.length; index += 2) {
    const name = nameOf(raw[index] ?? '')
    const value = raw[index + 1] ?? ''
    const earlier = Object.hasOwn(headers, name) ? headers[name] : undefined
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`
  }
  return headers
}

function nameOf(name: string): string {
  const known = lowerCase.get(name)
  if (known !== undefined) return known
  if (lowerCase.size >= MAX_NAMES) lowerCase.clear()
  const lower = name.toLowerCase()
  lowerCase.set(name, lower)
  return lower
}
