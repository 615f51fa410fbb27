/** Level 1 errors: the table of codes and statuses, the class to throw, and the response body. */
import type { ErrorBody, FieldFault, JsonObject } from '@worldwright/client/protocol'

/** HTTP status of every error code (decisions 5). */
export const STATUS = {
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  invalid_type: 400,
  invalid_id: 400,
  invalid_json: 400,
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  unknown_type: 404,
  entity_not_found: 404,
  unknown_action: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  idempotency_in_progress: 409,
  api_moved: 410,
  changes_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  not_the_owner: 421,
  idempotency_mismatch: 422,
  invalid_entity: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  damaged: 500,
  not_implemented: 501,
  unavailable: 503,
  action_timeout: 504,
} as const satisfies Record<string, number>

/** Error code defined by an action, such as `sol:same_body`. Its status is always 422. */
export type ActionErrorCode = `${string}:${string}`

/** Stable, machine-readable error code (Level 1, errors 1). */
export type ErrorCode = keyof typeof STATUS | ActionErrorCode

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code as keyof typeof STATUS] ?? ACTION_FAILED
}

/** Status of action-defined errors: the request was understood, but could not be carried out. */
const ACTION_FAILED = 422

/** An error reported to the client. It may be thrown anywhere below the handler; its code determines the response status. */
export class WorldFault extends Error {
  override readonly name = 'WorldFault'
  readonly code: ErrorCode
  readonly details: JsonObject
  /** Additional response headers, such as `allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    details: JsonObject = {},
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.details = details
    this.headers = headers
  }
}

/** Creates the fault for a missing entity. `id` must be the id as sent by the client. */
export function entityNotFound(type: string, id: string): WorldFault {
  return new WorldFault('entity_not_found', 'There is no entity of this type and id.', { type, id })
}

/** Creates the fault for damaged data. `entity` names the damaged entity, if the damage is limited to one. */
export function damagedFault(
  entity?: { readonly type: string; readonly id: string },
  cause?: unknown,
): WorldFault {
  const message = 'What is stored of this is damaged. The operator of the world has to restore it.'
  return new WorldFault('damaged', message, entity ? { ...entity } : {}, {}, { cause })
}

/** Maximum number of faults listed in one response. */
const MAX_FAULTS = 20

/** Creates a fault whose details list the invalid fields (decisions 5). `further` adds other details for the client. */
export function fieldsFault(
  code: 'invalid_parameter' | 'invalid_input' | 'invalid_entity',
  message: string,
  fields: readonly FieldFault[],
  further: JsonObject = {},
): WorldFault {
  const listed = fields.slice(0, MAX_FAULTS).map((field) => ({ ...field }))
  return new WorldFault(code, message, { fields: listed, ...further })
}

/** Builds the body of an error response. */
export function errorBody(fault: WorldFault, requestId: string): ErrorBody {
  return { code: fault.code, message: fault.message, details: fault.details, requestId }
}
