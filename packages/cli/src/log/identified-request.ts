/** A request with an id of its own, and what is learnt about it while it is answered. */
import type { WorldRequest } from '@worldwright/server'

/** Passes a request on as it is, but for its id. */
export class IdentifiedRequest implements WorldRequest {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: WorldRequest['headers']
  readonly origin: string | undefined
  readonly closing: AbortSignal | undefined
  /** The path of the route that answers, as a pattern; empty until it is known, and where there is none. */
  route = ''
  readonly #request: WorldRequest

  constructor(request: WorldRequest, id: string) {
    this.id = id
    this.method = request.method
    this.target = request.target
    this.headers = { ...request.headers, 'request-id': id }
    this.origin = request.origin
    this.closing = request.closing
    this.#request = request
  }

  get client(): WorldRequest['client'] {
    return this.#request.client
  }

  get body(): WorldRequest['body'] {
    return this.#request.body
  }

  get signal(): AbortSignal | undefined {
    return this.#request.signal
  }
}
