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

/** What the log says of a request. Neither header fields nor the query are in it: they may hold secrets. */
export interface AccessEntry {
  readonly event: 'request'
  /** As in the header `Request-Id` of the answer, and in the body of an error. */
  readonly requestId: string
  readonly method: string
  /** Made visible, and cut where it is long. */
  readonly path: string
  /** The path of the route that answered, as a pattern; empty if there is none. */
  readonly route: string
  readonly status: number
  /** The error code of the answer. Absent: it is no error. */
  readonly code?: string
  /** Until the answer could be sent; of an answer in pieces, until its end. With one decimal. */
  readonly ms: number
  /** Of the body, as it was sent. */
  readonly bytes: number
  /** True: the client left before it had all of it. */
  readonly aborted?: true
  /** The client's, if known. */
  readonly address?: string
  readonly userAgent?: string
  /** As the request carried it (W3C Trace Context). */
  readonly traceparent?: string
}

/** What an access log works with. */
export interface AccessLogOptions {
  /** Takes the records. Absent: requests only get their ids. */
  readonly write?: (entry: AccessEntry) => void
  /** Milliseconds, from any moment on. */
  readonly now?: () => number
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,64})?$/
const MAX_PATH = 1_024
const MAX_USER_AGENT = 256

/** Notes every request that a handler answers. Each gets an id, which its answer carries. */
export class AccessLog {
  readonly #options: AccessLogOptions
  readonly #requestId = createRequestIds()
  readonly #now: () => number

  constructor(options: AccessLogOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Answers as the handler does, and notes it. */
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

/** A path as nearly all are: without a query, and without anything that is not seen. */
const PLAIN_PATH = /^\/[!"$-~]*$/

/** Without the query and, of an absolute target, what stands before the path: both may hold secrets. */
export function pathOf(target: string): string {
  if (target.length <= MAX_PATH && PLAIN_PATH.test(target) && !target.includes('?')) return target
  return shown(target.replace(/[?#].*/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''), MAX_PATH)
}

const PLAIN_TEXT = /^[ -~]*$/

/** A text with everything unseen made visible, and cut if it is long. */
function shown(text: string, length: number): string {
  const seen = PLAIN_TEXT.test(text) ? text : visible(text)
  return seen.length > length ? `${seen.slice(0, length)}…` : seen
}
