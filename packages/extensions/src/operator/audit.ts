/** Audit log of a world, which records each change that a caller made or attempted, and its outcome. */
import { andThen, type Handle, type Mount, type WorldRequest, type WorldResponse } from '@worldwright/core'

/** Audit record of a change requested with valid credentials. Plain data without secrets. */
export interface AuditEntry extends AuditedChange {
  readonly event: 'audit'
  /** Value of the response's `Request-Id` header. */
  readonly requestId?: string
  /** Id of the caller: of its token, or as your own authentication gives it. */
  readonly token: string
  readonly tokenName?: string
  readonly method: string
  readonly status: number
}

/** Requested change, and details of its outcome that the status code does not show. */
export interface AuditedChange {
  readonly type?: string
  readonly id?: string
  readonly action?: string
  /** Path of a picture that was stored. */
  readonly picture?: string
  /** Error code of the response or, for a bulk write, of its last line. */
  readonly code?: string
  /** Row counts of a committed bulk write. A bulk write with neither `code` nor `rows` was interrupted. */
  readonly rows?: Readonly<Record<'created' | 'changed' | 'unchanged' | 'deleted' | 'rejected', number>>
}

/** Writes an audit entry for each request that was passed to `note` and has a caller, once its response is complete. */
export class Audit {
  readonly #write: (entry: AuditEntry) => void
  readonly #callerOf: Mount['callerOf']
  readonly #changes = new WeakMap<WorldRequest, AuditedChange>()

  constructor(write: (entry: AuditEntry) => void, callerOf: Mount['callerOf']) {
    this.#write = write
    this.#callerOf = callerOf
  }

  /** Records the change that `request` asks for. A later call for the same request adds members. */
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
