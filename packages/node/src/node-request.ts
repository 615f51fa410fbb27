/** A request of `node:http` as plain data. Members that few answers need are made on first use. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WorldRequest } from '@worldwright/core'
import { plainAddress, WorldFault } from '@worldwright/core'

/** Members of a request that describe its server. */
export type Server = Pick<WorldRequest, 'origin' | 'closing'>

type Headers = Record<string, string | undefined>

/** Owns a request's body, whose bytes can be read once, while the connection is open, and its signal. */
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

/** Time for a body to begin, in milliseconds; each of its bytes adds one millisecond, up to this time. */
const BODY_GRACE_MS = 5_000

/**
 * Yields the body. The first read sends `100 Continue` to a client that waits for it. Time between reads does not count.
 * @throws WorldFault `invalid_request` if the connection breaks off before the body is complete, `request_timeout` if it comes
 *   at less than 1,000 bytes a second
 */
async function* bodyOf(request: IncomingMessage, response: ServerResponse): AsyncGenerator<Uint8Array> {
  // HTTP/1.0 knows no interim answers.
  const waits = request.headers.expect !== undefined && request.httpVersion === '1.1'
  if (waits && !response.headersSent) response.writeContinue()
  // The request stays open when reading ends early: the answer still has to go out over the same connection.
  const pieces: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false })
  let left = BODY_GRACE_MS
  try {
    for (;;) {
      const asked = performance.now()
      // A handler that has begun to answer while the body arrives decides how long that may take.
      const next = pieces.next()
      const { done, value } = await (response.headersSent ? next : within(left, next))
      if (done) return
      const waited = performance.now() - asked
      left = Math.min(BODY_GRACE_MS, Math.max(0, left - waited) + value.byteLength)
      yield value
    }
  } catch (cause) {
    if (cause instanceof WorldFault) throw cause
    const details = { reason: 'incomplete_body' }
    throw new WorldFault('invalid_request', 'The request body is not complete.', details, {}, { cause })
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

/** Maximum number of field names remembered in lower case. */
const MAX_NAMES = 512
const lowerCase = new Map<string, string>()

/**
 * Returns header fields by lower-case name, repeated ones joined. Node.js itself knows which fields may be repeated, at
 * several times the cost; here a field that must not be repeated shows as a list if it is.
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
