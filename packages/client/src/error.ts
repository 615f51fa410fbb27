/**
 * The only error class of this package: every failed call rejects with it (Level 1, errors 2).
 */

/**
 * Codes assigned by this client. All other codes come from the world.
 * `http_<status>` means a non-success response whose body is not a protocol error, such as a proxy's HTML or an empty body.
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

/** Members of an error other than its code and message. Defaults: `status` 0, `details` {}, `url` ''. */
export interface WorldErrorContext {
  status?: number
  details?: Record<string, unknown>
  url?: string
  requestId?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

// A registered symbol, so that errors thrown by another copy of this package are recognised too.
const BRAND = /* @__PURE__ */ Symbol.for('@worldwright/error')

/**
 * A failed call. Branch on `code` (Level 1, errors 3); `message` is for people.
 * No member ever contains the token.
 */
export class WorldError extends Error {
  /** HTTP status; 0 if no complete response was received or nothing was sent. */
  declare readonly status: number
  /** The error code of the world, or one of `ClientErrorCode`. */
  declare readonly code: ClientErrorCode | (string & {})
  /** Error details from the world or this client; `{}` if there are none. */
  declare readonly details: Record<string, unknown>
  /** Requested URL, without credentials; empty if there was no request. */
  declare readonly url: string
  /** Request id assigned by the world, if any. Quote it when contacting the world's operator. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before a retry, from either form of `Retry-After`. Absent if there is no such header. */
  declare readonly retryAfter: number | undefined

  /** Creates an error. The default message is the code, with spaces for underscores, and the details. */
  constructor(code: ClientErrorCode | (string & {}), message?: string, context: WorldErrorContext = {}) {
    super(
      message ??
        `${code.replaceAll('_', ' ')} ${attempt(() => JSON.stringify(context.details)) ?? ''}`.trim(),
      context,
    )
    // `super` sets `cause` as a non-enumerable property, so `toJSON` omits it.
    Object.assign(this, { name: 'WorldError', status: 0, code, details: {}, url: '', [BRAND]: 1 }, context)
  }

  /** Returns plain data for logs: everything but `cause` and `stack`. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), message: this.message }
  }
}

/** Reports whether a thrown value is a `WorldError`, including one from another copy or version of this package. */
export function isWorldError(value: unknown): value is WorldError {
  return !!(value as { [BRAND]?: unknown } | null | undefined)?.[BRAND]
}

/** Throws a `WorldError` with a client code. The message never includes a value that could be a secret. */
export function fail(code: ClientErrorCode, details?: Record<string, unknown>): never {
  throw new WorldError(code, undefined, details && { details })
}

/** Throws `invalid_argument` with `details` if `valid` is falsy. Must be called before anything is sent. */
export function assertArgument(valid: unknown, details: Record<string, unknown>): asserts valid {
  if (!valid) fail('invalid_argument', details)
}

/** Returns the result of `make`, or `undefined` if it throws. For parsers whose error messages could contain a secret. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Reports whether a value is a string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}
