/** The audit of a world: which token changed what, or tried to, and with which outcome. */
import { andThen, type Handle, type Mount, type WorldRequest, type WorldResponse } from '@worldwright/core'

/** One request of a valid token to change something: plain data, without secrets. */
export interface AuditEntry extends AuditedChange {
  readonly event: 'audit'
  /** As in the header `Request-Id` of the answer. */
  readonly requestId?: string
  /** The id of the token. */
  readonly token: string
  readonly tokenName?: string
  readonly method: string
  readonly status: number
}

/** The change that a request asks for, and its outcome as far as the status does not say it. */
export interface AuditedChange {
  readonly type?: string
  readonly id?: string
  readonly action?: string
  /** The error code of the answer; of a bulk write, of its last line. */
  readonly code?: string
  /** Rows of a bulk write, if it was committed. A bulk write with neither code nor rows was cut off. */
  readonly rows?: Readonly<Record<'created' | 'changed' | 'unchanged' | 'deleted' | 'rejected', number>>
}

/** Writes one entry for each noted request, when its answer is complete. */
export class Audit {
  readonly #write: (entry: AuditEntry) => void
  readonly #callerOf: Mount['callerOf']
  readonly #changes = new WeakMap<WorldRequest, AuditedChange>()

  constructor(write: (entry: AuditEntry) => void, callerOf: Mount['callerOf']) {
    this.#write = write
    this.#callerOf = callerOf
  }

  /** Notes what a request is to change; later members are added. */
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
