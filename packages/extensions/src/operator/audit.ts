/** The audit log of a world: which token changed or tried to change what, and the outcome. */
import { andThen, type Handle, type Mount, type WorldRequest, type WorldResponse } from '@worldwright/core'

/** One request of a valid token to change something: plain data, without secrets. */
export interface AuditEntry extends AuditedChange {
  readonly event: 'audit'
  /** The `Request-Id` header of the response. */
  readonly requestId?: string
  /** The id of the token. */
  readonly token: string
  readonly tokenName?: string
  readonly method: string
  readonly status: number
}

/** The change that a request asks for, and any outcome that the status does not tell. */
export interface AuditedChange {
  readonly type?: string
  readonly id?: string
  readonly action?: string
  /** The error code of the response; for a bulk write, that of its last line. */
  readonly code?: string
  /** Rows of a bulk write, if it was committed. A bulk write with neither code nor rows was cut off. */
  readonly rows?: Readonly<Record<'created' | 'changed' | 'unchanged' | 'deleted' | 'rejected', number>>
}

/** Writes one entry per noted request, when its response is complete. */
export class Audit {
  readonly #write: (entry: AuditEntry) => void
  readonly #callerOf: Mount['callerOf']
  readonly #changes = new WeakMap<WorldRequest, AuditedChange>()

  constructor(write: (entry: AuditEntry) => void, callerOf: Mount['callerOf']) {
    this.#write = write
    this.#callerOf = callerOf
  }

  /** Notes the change that a request asks for; later calls add members. */
  note(request: WorldRequest, change: AuditedChange): void {
    this.#changes.set(request, { ...this.#changes.get(request), ...change })
  }

  around(handle: Handle): Handle {
    return (request) => {
      if (request.method === 'GET' || request.method === 'HEAD') return handle(request)
      return andThen(handle(request), (response) =>
        this.#changes.has(request) ? this.#answered(request, response) : response,
      )
    }
  }

  async #answered(request: WorldRequest, response: WorldResponse): Promise<WorldResponse> {
    const caller = await this.#callerOf(request).catch(() => undefined)
    if (caller === undefined) return response
    const { status, headers, body } = response
    const { requestId = headers['request-id'] } = response
    const code = headers['world-error-code']
    const end = () =>
      this.#write({
        event: 'audit',
        ...(requestId !== undefined && { requestId }),
        token: caller.id,
        ...(caller.name !== undefined && { tokenName: caller.name }),
        method: request.method,
        status,
        ...(code !== undefined && { code }),
        ...this.#changes.get(request),
      })
    if (typeof body === 'object' && Symbol.asyncIterator in body)
      return { ...response, body: ended(body, end) }
    end()
    return response
  }
}

async function* ended<T>(pieces: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  try {
    yield* pieces
  } finally {
    end()
  }
}
