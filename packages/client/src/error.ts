/**
 * The one error of this package: every failed call rejects with it (Level 1, errors 2).
 */

/**
 * The codes this client makes itself; all others come from the world.
 * `http_<status>` stands for a non-success response whose body is no protocol error (a proxy's HTML, nothing).
 */
export type ClientErrorCode =
  | 'aborted'
  | 'insecure_endpoint'
  | 'invalid_argument'
  | 'invalid_response'
  | 'network_error'
  | 'not_a_world'
  | 'pagination_loop'
  | 'response_too_large'
  | 'timeout'
  | 'unsupported_extension'
  | 'unsupported_protocol'
  | 'world_mismatch'
  | `http_${number}`

/** What an error knows beside its code and message. Left out: `status` 0, `details` {}, `url` ''. */
export interface WorldErrorContext {
  status?: number
  details?: Record<string, unknown>
  url?: string
  requestId?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

// Registered, so that an error of another copy of this package is recognised too.
const BRAND = /* @__PURE__ */ Symbol.for('@worldwright/error')

/**
 * A failed call. Branch on `code` (Level 1, errors 3); `message` is for people.
 * No member ever holds the token.
 */
export class WorldError extends Error {
  /** HTTP status; 0 when no complete response came or nothing was sent. */
  declare readonly status: number
  /** The world's code, or one of `ClientErrorCode`. */
  declare readonly code: ClientErrorCode | (string & {})
  /** What the world says beside the code; `{}` when it says nothing. */
  declare readonly details: Record<string, unknown>
  /** The URL requested, without credentials; empty when nothing was to be sent. */
  declare readonly url: string
  /** The world's name for this request, where it gave one: quote it to the operator. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before asking again, from `Retry-After` in either form. Absent without it. */
  declare readonly retryAfter: number | undefined

  /** Without a message it is the code in words and the details. */
  constructor(code: ClientErrorCode | (string & {}), message?: string, context: WorldErrorContext = {}) {
    super(
      message ??
        `${code.replaceAll('_', ' ')} ${attempt(() => JSON.stringify(context.details)) ?? ''}`.trim(),
      context,
    )
    // `cause`, which `super` has made where there is one, stays out of sight of `toJSON`.
    Object.assign(this, { name: 'WorldError', status: 0, code, details: {}, url: '', [BRAND]: 1 }, context)
  }

  /** Plain data for logs: everything but `cause` and `stack`. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), message: this.message }
  }
}

/** Whether a thrown value is a `WorldError`, also one made by another copy or version of this package. */
export function isWorldError(value: unknown): value is WorldError {
  return !!(value as { [BRAND]?: unknown } | null | undefined)?.[BRAND]
}

/** Throws a `WorldError` of this client's own. Nothing in it repeats what may be secret. */
export function fail(code: ClientErrorCode, details?: Record<string, unknown>): never {
  throw new WorldError(code, undefined, details && { details })
}

/** Throws `invalid_argument` unless `valid`, with what was wrong in `details`: nothing has been sent then. */
export function assertArgument(valid: unknown, details: Record<string, unknown>): asserts valid {
  if (!valid) fail('invalid_argument', details)
}

/** What `make` gives, `undefined` where it throws: for parsers whose own message could repeat a secret. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Whether a value is a string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}
