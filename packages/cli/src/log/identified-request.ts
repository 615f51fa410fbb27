/** A request with an id of its own, and what is learnt about it while it is answered. */
import type { WorldRequest } from '@worldwright/server'

/** Passes a request on as it is, but for its id and the address of its client. */
export class IdentifiedRequest implements WorldRequest {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: WorldRequest['headers']
  readonly origin: string | undefined
  readonly closing: AbortSignal | undefined
  readonly client: WorldRequest['client']
  /** The path of the route that answers, as a pattern; empty until it is known, and where there is none. */
  route = ''
  readonly #request: WorldRequest

  /** @param address the client's, where it is not the connection's own */
  constructor(request: WorldRequest, id: string, address: string | undefined) {
    this.id = id
    this.method = request.method
    this.target = request.target
    this.headers = { ...request.headers, 'request-id': id }
    this.origin = request.origin
    this.closing = request.closing
    const { client } = request
    this.client = client && address !== undefined ? { ...client, address } : client
    this.#request = request
  }

  get body(): WorldRequest['body'] {
    return this.#request.body
  }

  get signal(): AbortSignal | undefined {
    return this.#request.signal
  }
}
