/** Temporary refusals: all 503 responses, and the 429 of a client that exceeds its rate limit. */
import type { JsonObject } from '@worldwright/client/protocol'
import { WorldFault } from '../world/errors.ts'

/** Optional parts of a temporary refusal. */
export interface UnavailableOptions {
  /** Error code. Default: `unavailable`. */
  readonly code?: 'unavailable' | 'rate_limited'
  readonly details?: JsonObject
  readonly cause?: unknown
}

/** Creates a fault that tells the client to retry after `seconds`, both in `Retry-After` and in the details. */
export function unavailable(
  message: string,
  seconds: number,
  { code = 'unavailable', details = {}, cause }: UnavailableOptions = {},
): WorldFault {
  const headers = { 'retry-after': String(seconds) }
  return new WorldFault(code, message, { retryAfterSeconds: seconds, ...details }, headers, { cause })
}

/** Value of `reason` in the details of requests refused under overload. */
export const OVERLOADED = 'overloaded'
/** Maximum `Retry-After` under overload, in seconds. The value is random, so that clients do not all retry at once. */
const MAX_OVERLOADED_SECONDS = 5

let overloads: readonly WorldFault[] | undefined

/** Returns the fault of a request refused under overload. Faults are reused, because capturing stack traces adds load. */
export function overloaded(): WorldFault {
  overloads ??= Array.from({ length: MAX_OVERLOADED_SECONDS }, (_, index) =>
    unavailable('Too many requests wait already. Try again later.', index + 1, {
      details: { reason: OVERLOADED },
    }),
  )
  return overloads[Math.floor(Math.random() * overloads.length)] as WorldFault
}
