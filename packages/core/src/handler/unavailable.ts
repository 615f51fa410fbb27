/** Temporary refusals: every 503, and the 429 of a client over its limit. */
import type { JsonObject } from '@worldwright/client/protocol'
import { WorldFault } from '../world/errors.ts'

/** Optional parts of a temporary refusal. */
export interface UnavailableOptions {
  /** Default `unavailable`. */
  readonly code?: 'unavailable' | 'rate_limited'
  readonly details?: JsonObject
  readonly cause?: unknown
}

/** Creates a fault that asks a client to retry after `seconds`, in `Retry-After` and in its details. */
export function unavailable(
  message: string,
  seconds: number,
  { code = 'unavailable', details = {}, cause }: UnavailableOptions = {},
): WorldFault {
  return new WorldFault(
    code,
    message,
    { retryAfterSeconds: seconds, ...details },
    { 'retry-after': String(seconds) },
    { cause },
  )
}

/** Reason of a fault whose request would have queued too long. */
export const OVERLOADED = 'overloaded'
/** Maximum `Retry-After` of an overloaded server, in seconds; it varies so that clients do not retry all at once. */
const MAX_OVERLOADED_SECONDS = 5

let overloads: readonly WorldFault[] | undefined

/** Returns the refusal of a request that would queue too long. Faults are reused: a stack trace for each would add load. */
export function overloaded(): WorldFault {
  overloads ??= Array.from({ length: MAX_OVERLOADED_SECONDS }, (_, index) =>
    unavailable('Too many requests wait already. Try again later.', index + 1, {
      details: { reason: OVERLOADED },
    }),
  )
  return overloads[Math.floor(Math.random() * overloads.length)] as WorldFault
}
