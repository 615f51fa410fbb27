/** Parts shared by the responses of every route: CORS, security headers, and the single error body. */

import { utf8Bytes } from '../store/bytes.ts'
import { StorageFault, type StorageFaultCode } from '../store/contract.ts'
import { damagedFault, errorBody, statusOf, WorldFault } from '../world/errors.ts'
import type { WorldResponse } from './http.ts'
import { overloaded, unavailable } from './unavailable.ts'

/** Fields on every response, errors and 304 included (decisions 6). */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'x-content-type-options': 'nosniff',
}

/** Content security policy of JSON: a browser that opens it must not run or frame anything in it. */
export const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'"

const PREFLIGHT_HEADERS = {
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, If-Match, If-None-Match, Request-Id, Range, If-Range, Last-Event-ID, Worldwright-After',
  'access-control-max-age': '86400',
}

/** `Retry-After` for a busy store, in seconds. */
const RETRY_AFTER_SECONDS = 1

/** Client messages for store failures that are temporary or that the operator repairs. */
const UNAVAILABLE: Partial<Record<StorageFaultCode, string>> = {
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

/** Builds the response to a failure: `code` and `message` at the top of a JSON object (Level 1, errors 1). */
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
 * @param signal of the request: an abort error after it has aborted is not an error of the server
 */
export function faultFrom(thrown: unknown, signal?: AbortSignal): WorldFault {
  if (thrown instanceof WorldFault) return thrown
  if (signal?.aborted && (thrown === signal.reason || isAbort(thrown))) {
    return new WorldFault('request_timeout', 'The client left before its answer was made.', {
      reason: 'client_left',
    })
  }
  if (thrown instanceof StorageFault && thrown.code === 'overloaded') return overloaded()
  const message = thrown instanceof StorageFault ? UNAVAILABLE[thrown.code] : undefined
  if (thrown instanceof StorageFault && message !== undefined) {
    const options = { details: { reason: thrown.code }, cause: thrown }
    return unavailable(message, RETRY_AFTER_SECONDS, options)
  }
  if (thrown instanceof StorageFault && thrown.code === 'unsupported')
    return new WorldFault('not_implemented', thrown.message, {}, {}, { cause: thrown })
  if (thrown instanceof StorageFault && thrown.code === 'damaged') return damagedFault(thrown.entity, thrown)
  return new WorldFault(
    'internal_error',
    'The server failed to answer this request.',
    {},
    {},
    { cause: thrown },
  )
}

/** Recognises an abort by its name: after crossing a process it is no longer the same object. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}
