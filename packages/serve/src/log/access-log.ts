/** Access log with one record per request: the request, its client, and the outcome. */
import {
  createRequestIds,
  idOf,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import { visible } from '../terminal/visible.ts'
import { IdentifiedRequest } from './identified-request.ts'

/** Access log entry. The query and other header fields are omitted, since they may contain secrets. */
export interface AccessEntry {
  readonly event: 'request'
  /** Request id, as in the header field `Request-Id` and in the body of an error. */
  readonly requestId: string
  readonly method: string
  /** Path of the request, escaped, and truncated if it is long. */
  readonly path: string
  /** Path pattern of the matched route; empty if no route matched. */
  readonly route: string
  readonly status: number
  /** Error code of the response; absent if it is not an error. */
  readonly code?: string
  /** Milliseconds until the response was ready, or until a streamed response ended, to one decimal place. */
  readonly ms: number
  /** Size of the body as sent, in bytes. */
  readonly bytes: number
  /** True if the client disconnected before it received the whole body. */
  readonly aborted?: true
  /** Address of the client, if known. */
  readonly address?: string
  readonly userAgent?: string
  /** Value of the request's `traceparent` field (W3C Trace Context). */
  readonly traceparent?: string
}

/** Options for an access log. */
export interface AccessLogOptions {
  /** Receives the records. If absent, requests get ids but are not logged. */
  readonly write?: (entry: AccessEntry) => void
  /** Clock in milliseconds, with an arbitrary origin. */
  readonly now?: () => number
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,64})?$/
const MAX_PATH = 1_024
const MAX_USER_AGENT = 256

/** Logs all requests to a handler, and assigns each an id, which is returned in the response. */
export class AccessLog {
  readonly #options: AccessLogOptions
  readonly #requestId = createRequestIds()
  readonly #now: () => number

  constructor(options: AccessLogOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Passes a request to the handler and logs it. */
  handle(handler: Pick<WorldHandler, 'handle'>, asked: WorldRequest): ReturnType<WorldHandler['handle']> {
    const startedAt = this.#now()
    const request = new IdentifiedRequest(asked, { id: idOf(asked) ?? this.#requestId() })
    const answered = handler.handle(request)
    if (this.#options.write === undefined) return answered
    if (answered instanceof Promise)
      return answered.then((response) => this.#noted(request, response, startedAt))
    return this.#noted(request, answered, startedAt)
  }

  #noted(request: IdentifiedRequest, response: WorldResponse, startedAt: number): WorldResponse {
    const { body } = response
    const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    if (!isWhole) {
      const counted = this.#counted(body, (bytes, aborted) =>
        this.#write(request, response, startedAt, bytes, aborted),
      )
      return { ...response, body: counted }
    }
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)
    this.#write(request, response, startedAt, bytes, false)
    return response
  }

  async *#counted(
    body: AsyncIterable<Uint8Array | string>,
    end: (bytes: number, aborted: boolean) => void,
  ): AsyncGenerator<Uint8Array | string> {
    let bytes = 0
    let isComplete = false
    try {
      for await (const piece of body) {
        bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
        yield piece
      }
      isComplete = true
    } finally {
      end(bytes, !isComplete)
    }
  }

  #write(
    request: IdentifiedRequest,
    { status, headers }: WorldResponse,
    startedAt: number,
    bytes: number,
    aborted: boolean,
  ): void {
    const { id, method, target, route } = request
    const code = headers['world-error-code']
    const address = request.client?.address
    const userAgent = request.headers['user-agent']
    const traceparent = request.headers['traceparent']
    this.#options.write?.({
      event: 'request',
      requestId: id,
      method,
      path: pathOf(target),
      route,
      status,
      ...(code !== undefined && { code }),
      ms: Math.round((this.#now() - startedAt) * 10) / 10,
      bytes,
      ...(aborted && { aborted }),
      ...(address !== undefined && { address }),
      ...(userAgent !== undefined && { userAgent: shown(userAgent, MAX_USER_AGENT) }),
      ...(traceparent !== undefined && TRACEPARENT.test(traceparent) && { traceparent }),
    })
  }
}

/** Matches the common case: a path without a query and without invisible characters. */
const PLAIN_PATH = /^\/[!"$-~]*$/

/** Returns the path of a request target for the log, without query, scheme and host, which may contain secrets. */
export function pathOf(target: string): string {
  if (target.length <= MAX_PATH && PLAIN_PATH.test(target) && !target.includes('?')) return target
  return shown(target.replace(/[?#].*/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''), MAX_PATH)
}

const PLAIN_TEXT = /^[ -~]*$/

/** Escapes invisible characters in `text`, and truncates it if it is long. */
function shown(text: string, length: number): string {
  const seen = PLAIN_TEXT.test(text) ? text : visible(text)
  return seen.length > length ? `${seen.slice(0, length)}…` : seen
}
