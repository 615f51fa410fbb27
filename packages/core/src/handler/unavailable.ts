/** Refusals that pass: every 503, and the 429 of a client over its limit. */
import type { JsonObject } from '@worldwright/client/protocol'
import { WorldFault } from '../world/errors.ts'

/** Further parts of a refusal. */
export interface UnavailableOptions {
  /** Default `unavailable`. */
  readonly code?: 'unavailable' | 'rate_limited'
  readonly details?: JsonObject
  readonly cause?: unknown
}

/** Makes the fault that asks a client to come back in so many seconds: `Retry-After`, and the same number in its details. */
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

/** Reason of a request that would have had to wait too long. */
export const OVERLOADED = 'overloaded'
/** Longest wait that clients of an overloaded server are asked for, in seconds: they are not to come back all at once. */
const MAX_OVERLOADED_SECONDS = 5

let overloads: readonly WorldFault[] | undefined

/** The refusal of a request that would have to wait too long. Made once: a stack for each would be one more load. */
export function overloaded(): WorldFault {
  overloads ??= Array.from({ length: MAX_OVERLOADED_SECONDS }, (_, index) =>
    unavailable('Too many requests wait already. Try again later.', index + 1, {
      details: { reason: OVERLOADED },
    }),
  )
  return overloads[Math.floor(Math.random() * overloads.length)] as WorldFault
}
