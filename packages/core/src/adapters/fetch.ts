/** Adapter for `fetch`-style runtimes: a handler as a function from Request to Response. */
import { incompleteBody } from '../handler/body.ts'
import { errorResponse } from '../handler/error-response.ts'
import type { WorldHandler } from '../handler/handler.ts'
import type { WorldRequest } from '../handler/http.ts'
import { headFault } from '../handler/request-head.ts'
import { createRequestIds } from '../handler/request-id.ts'
import { utf8Bytes } from '../store/bytes.ts'

/**
 * Wraps a handler for runtimes that expect a function from Request to Response. Arguments after a Request, such as Bun's
 * server or the `env` of Workers, are ignored. Tests can pass the function to a client as its `fetch`, and need no
 * port. Like `fetch`, the function also accepts a URL and options.
 * The runtime's URL parser removes dot segments before the handler sees the target.
 * @throws TypeError if the world has neither `publicUrl` nor `trustProxy`, since the runtime does not reveal its address
 */
export function toFetch(
  handler: WorldHandler,
): (input: Request | URL | string, init?: unknown) => Promise<Response> {
  if (handler.needsOrigin) throw new TypeError('A world behind fetch needs publicUrl, an origin')
  const newId = createRequestIds()
  return async (input, init) => {
    const isRequest = typeof input === 'object' && 'headers' in input
    const given = isRequest ? undefined : (init as RequestInit | undefined)
    const request = isRequest ? input : new Request(input, given)
    const sent = Object.fromEntries(request.headers)
    const fault = headFault(request.method, sent)
    // Once a Request is garbage-collected, it passes no abort on to its own signal.
    const asked = { ...worldRequest(request, sent), signal: given?.signal ?? request.signal }
    const answer = fault ? errorResponse(fault, newId()) : await handler.handle(asked)
    const { status, headers: fields, body, requestId } = answer
    const headers = requestId === undefined ? fields : { ...fields, 'request-id': requestId }
    // Without `encodeBody`, Workers compress a body that already has a content coding.
    const options = { status, headers, encodeBody: 'manual' }
    if (body === undefined || typeof body === 'string') return new Response(body ?? null, options)
    return new Response(body instanceof Uint8Array ? new Uint8Array(body) : streamed(body), options)
  }
}

function worldRequest(request: Request, sent: WorldRequest['headers']): WorldRequest {
  // A bad `Host` makes the URL invalid in some runtimes.
  const url = URL.parse(request.url)
  return {
    method: request.method,
    target: url ? url.pathname + url.search : request.url,
    // A Request that did not come over HTTP has no `Host` field.
    headers: { host: url?.host, ...sent },
    ...(request.body === null ? {} : { body: wholeBody(request.body) }),
  }
}

/** Yields the body. @throws WorldFault `invalid_request` if it ends early */
async function* wholeBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw incompleteBody(cause)
  }
}

function streamed(body: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) return controller.close()
      controller.enqueue(typeof value === 'string' ? utf8Bytes(value) : value)
    },
    cancel: async () => void (await pieces.return?.()),
  })
}
