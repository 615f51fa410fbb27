/** One record for every answered request: the request, its client, and the outcome. */
import {
  createRequestIds,
  idOf,
  type WorldHandler,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import { visible } from '../terminal/visible.ts'
import { IdentifiedRequest } from './identified-request.ts'

/** Log entry of a request. The query and all other header fields are left out: they may hold secrets. */
export interface AccessEntry {
  readonly event: 'request'
  /** As in the header `Request-Id` of the answer, and in the body of an error. */
  readonly requestId: string
  readonly method: string
  /** Escaped, and truncated if it is long. */
  readonly path: string
  /** Path pattern of the route that answered; empty if there is none. */
  readonly route: string
  readonly status: number
  /** Error code of the answer; absent if it is no error. */
  readonly code?: string
  /** Milliseconds until the answer could be sent, or until the end of a streamed one; one decimal. */
  readonly ms: number
  /** Size of the body as sent, in bytes. */
  readonly bytes: number
  /** True if the client left before it had the whole body. */
  readonly aborted?: true
  /** Address of the client, if known. */
  readonly address?: string
  readonly userAgent?: string
  /** As the request carried it (W3C Trace Context). */
  readonly traceparent?: string
}

/** Options of an access log. */
export interface AccessLogOptions {
  /** Receives the records. If absent, requests only get their ids. */
  readonly write?: (entry: AccessEntry) => void
  /** Clock in milliseconds, of any origin. */
  readonly now?: () => number
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,64})?$/
const MAX_PATH = 1_024
const MAX_USER_AGENT = 256

/** Logs every request that a handler answers. Each gets an id, which its answer carries. */
export class AccessLog {
  readonly #options: AccessLogOptions
  readonly #requestId = createRequestIds()
  readonly #now: () => number

  constructor(options: AccessLogOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Answers as the handler does, and logs the request. */
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

/** Returns a target without its query and, if absolute, without scheme and host: they may hold secrets. */
export function pathOf(target: string): string {
  if (target.length <= MAX_PATH && PLAIN_PATH.test(target) && !target.includes('?')) return target
  return shown(target.replace(/[?#].*/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''), MAX_PATH)
}

const PLAIN_TEXT = /^[ -~]*$/

/** Makes invisible characters visible, and truncates a long text. */
function shown(text: string, length: number): string {
  const seen = PLAIN_TEXT.test(text) ? text : visible(text)
  return seen.length > length ? `${seen.slice(0, length)}…` : seen
}
