/** Request that middleware passes on to a handler. */
import type { WorldRequest } from './http.ts'

/** Copy of a request with overrides. The body, the signal and, unless overridden, the client are read lazily. */
export class PassedRequest implements WorldRequest {
  readonly method: string
  readonly target: string
  readonly headers: WorldRequest['headers']
  readonly id: string | undefined
  readonly origin: string | undefined
  readonly closing: AbortSignal | undefined
  readonly #request: WorldRequest
  readonly #client: WorldRequest['client']

  constructor(request: WorldRequest, changed: Partial<Pick<WorldRequest, 'id' | 'client'>>) {
    this.method = request.method
    this.target = request.target
    this.headers = request.headers
    this.id = changed.id ?? request.id
    this.origin = request.origin
    this.closing = request.closing
    this.#request = request
    this.#client = changed.client
  }

  get client(): WorldRequest['client'] {
    return this.#client ?? this.#request.client
  }

  get body(): WorldRequest['body'] {
    return this.#request.body
  }

  get signal(): AbortSignal | undefined {
    return this.#request.signal
  }
}
