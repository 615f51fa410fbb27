/**
 * The only error of this package: every failed call rejects with it (Level 1, errors 2).
 */

/**
 * The codes that this client itself assigns; all others come from the world.
 * `http_<status>` means a non-success response whose body is not a protocol error (a proxy's HTML, nothing).
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

/** Members of an error besides its code and message. Defaults: `status` 0, `details` {}, `url` ''. */
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
 * No member ever contains the token.
 */
export class WorldError extends Error {
  /** HTTP status; 0 if no complete response was received or nothing was sent. */
  declare readonly status: number
  /** The world's code, or one of `ClientErrorCode`. */
  declare readonly code: ClientErrorCode | (string & {})
  /** Details from the world besides the code; `{}` if there are none. */
  declare readonly details: Record<string, unknown>
  /** The URL requested, without credentials; empty if there was nothing to send. */
  declare readonly url: string
  /** The world's id of this request, if it gave one: quote it to the operator. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before a retry, from `Retry-After` in either form. Absent without it. */
  declare readonly retryAfter: number | undefined

  /** The default message is the code in words and the details. */
  constructor(code: ClientErrorCode | (string & {}), message?: string, context: WorldErrorContext = {}) {
    super(
      message ??
        `${code.replaceAll('_', ' ')} ${attempt(() => JSON.stringify(context.details)) ?? ''}`.trim(),
      context,
    )
    // `cause`, which `super` sets if there is one, is hidden from `toJSON`.
    Object.assign(this, { name: 'WorldError', status: 0, code, details: {}, url: '', [BRAND]: 1 }, context)
  }

  /** Plain data for logs: everything but `cause` and `stack`. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), message: this.message }
  }
}

/** Reports whether a thrown value is a `WorldError`, including one of another copy or version of this package. */
export function isWorldError(value: unknown): value is WorldError {
  return !!(value as { [BRAND]?: unknown } | null | undefined)?.[BRAND]
}

/** Throws a `WorldError` with a code of this client. Nothing in it repeats a possible secret. */
export function fail(code: ClientErrorCode, details?: Record<string, unknown>): never {
  throw new WorldError(code, undefined, details && { details })
}

/** Throws `invalid_argument` unless `valid`, with the error in `details`: nothing has been sent then. */
export function assertArgument(valid: unknown, details: Record<string, unknown>): asserts valid {
  if (!valid) fail('invalid_argument', details)
}

/** Returns the result of `make`, or `undefined` if it throws: for parsers whose own message could repeat a secret. */
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
