/** Response parts shared by all routes: CORS headers, security headers and error responses. */
import { utf8Bytes } from '../store/bytes.ts'
import { StoreFault, type StoreFaultCode } from '../store/contract.ts'
import { damagedFault, errorBody, statusOf, WorldFault } from '../world/errors.ts'
import type { WorldResponse } from './http.ts'
import { overloaded, unavailable } from './unavailable.ts'

/** Header fields of every response, including errors (decisions 6). */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'x-content-type-options': 'nosniff',
}

/** Content security policy of JSON responses: a browser must neither execute their content nor show it in a frame. */
export const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'"

const PREFLIGHT_HEADERS = {
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Request-Id, Range, If-Range, Last-Event-ID, Worldwright-After',
  'access-control-max-age': '86400',
}

/** `Retry-After` for a busy store, in seconds. */
const RETRY_AFTER_SECONDS = 1

/** Messages sent to clients for store failures that are temporary or that the operator can repair. */
const UNAVAILABLE: Partial<Record<StoreFaultCode, string>> = {
  busy: 'The store cannot accept this now. Try again later.',
  full: 'The disk of the store is full, so nothing was written. Try again later.',
  io: 'The disk of the store failed; whether anything was written is open. Try again later.',
  undecided: 'The process that writes gave no answer; whether anything was written is open. Try again later.',
  unreachable: 'The database of the store gives no answer, so nothing was written. Try again later.',
  file_gone: 'The file of the store is gone, so nothing can be written. Try again later.',
  read_only: 'The store cannot be written now. Try again later.',
  newer_format: 'A newer version has taken the store over, so nothing can be written here. Try again later.',
  search_unreachable: 'The cluster that searches gives no answer. Try again later.',
  index_rebuilding: 'The search index is being built again. Try again later.',
}

/** Builds an error response: a JSON object with `code` and `message` at the top level (Level 1, errors 1). */
export function errorResponse(fault: WorldFault, requestId: string): WorldResponse {
  const body = utf8Bytes(JSON.stringify(errorBody(fault, requestId)))
  return {
    status: statusOf(fault.code),
    headers: {
      ...COMMON_HEADERS,
      'content-security-policy': JSON_POLICY,
      'content-type': 'application/json',
      'content-length': String(body.byteLength),
      'cache-control': 'no-store',
      'world-error-code': fault.code,
      'request-id': requestId,
      ...fault.headers,
    },
    body,
  }
}

/** Builds the response to OPTIONS on any path: 204 with the allowed methods. */
export function optionsResponse(methods: readonly string[], requestId: string | undefined): WorldResponse {
  const allow = methods.join(', ')
  return {
    status: 204,
    headers: {
      ...COMMON_HEADERS,
      ...PREFLIGHT_HEADERS,
      allow,
      'access-control-allow-methods': allow,
      ...(requestId === undefined ? {} : { 'request-id': requestId }),
    },
  }
}

/**
 * Maps a thrown value to a fault that clients may see. An unexpected error reveals no internals.
 * @param signal the request's signal: once it has aborted, an abort error is not a server error
 */
export function faultFrom(thrown: unknown, signal?: AbortSignal): WorldFault {
  if (thrown instanceof WorldFault) return thrown
  if (signal?.aborted && (thrown === signal.reason || isAbort(thrown))) {
    const message = 'The client left before its answer was made.'
    return new WorldFault('request_timeout', message, { reason: 'client_left' })
  }
  if (thrown instanceof StoreFault && thrown.code === 'overloaded') return overloaded()
  const message = thrown instanceof StoreFault ? UNAVAILABLE[thrown.code] : undefined
  if (thrown instanceof StoreFault && message !== undefined) {
    const options = { details: { reason: thrown.code, ...thrown.details }, cause: thrown }
    return unavailable(message, RETRY_AFTER_SECONDS, options)
  }
  if (thrown instanceof StoreFault && thrown.code === 'unsupported')
    return new WorldFault('not_implemented', thrown.message, {}, {}, { cause: thrown })
  if (thrown instanceof StoreFault && thrown.code === 'damaged') return damagedFault(thrown.entity, thrown)
  const failure = 'The server failed to answer this request.'
  return new WorldFault('internal_error', failure, {}, {}, { cause: thrown })
}

/** Recognises an abort error by its name, because object identity is lost between processes. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}
