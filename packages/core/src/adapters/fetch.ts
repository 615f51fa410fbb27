/** The adapter for runtimes that speak `fetch`: a handler as a function from Request to Response. */
import type { WorldHandler } from '../handler/handler.ts'
import type { WorldRequest } from '../handler/http.ts'
import { utf8Bytes } from '../store/bytes.ts'

/**
 * Wraps a handler for runtimes that serve with `fetch`-style functions. A client can use the result as its `fetch`, so that
 * both are tested against each other without a port.
 * The URL parser of such runtimes removes dot segments before the handler sees the target.
 */
export function toFetch(
  handler: WorldHandler,
): (input: Request | URL | string, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init)
    const { status, headers: fields, body, requestId } = await handler.handle(worldRequest(request))
    const headers = requestId === undefined ? fields : { ...fields, 'request-id': requestId }
    if (body === undefined || typeof body === 'string') return new Response(body ?? null, { status, headers })
    return new Response(body instanceof Uint8Array ? new Uint8Array(body) : streamed(body), {
      status,
      headers,
    })
  }
}

function worldRequest(request: Request): WorldRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    signal: request.signal,
    ...(request.body === null ? {} : { body: request.body }),
  }
}

function streamed(body: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(typeof value === 'string' ? utf8Bytes(value) : value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
