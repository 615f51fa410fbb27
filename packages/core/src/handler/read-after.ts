/** Read-your-writes: a request may name a position that the store must reach before the request is answered. */
import type { Position, Source, Store } from '../store/contract.ts'
import { isReached } from '../store/positions.ts'
import { fieldsFault, type WorldFault } from '../world/errors.ts'
import { unavailable } from './unavailable.ts'

/** Request header with the position to wait for, as returned by a write. */
export const AFTER_HEADER = 'worldwright-after'

/** Maximum time that a request waits for the position, in milliseconds. */
const MAX_WAIT_MS = 2_000
const RETRY_AFTER_SECONDS = 1

type Log = Pick<Store, 'changes' | 'watch'>

/**
 * Waits until the store has reached a position. Returns immediately for undefined.
 * @throws WorldFault `invalid_parameter` if the position is malformed or belongs to another history; `unavailable` if the
 * store does not reach it in time
 */
export async function waitForPosition(
  source: Source | Log,
  position: Position | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (position === undefined) return
  // A source without a log has no positions.
  if (!('watch' in source)) throw noPosition()
  const store: Log = source
  if (await hasReached(store, position, signal)) return
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), MAX_WAIT_MS)
  const waiting = AbortSignal.any(signal ? [ended.signal, signal] : [ended.signal])
  try {
    for await (const _ of store.watch(waiting)) if (await hasReached(store, position, signal)) return
    signal?.throwIfAborted()
    throw unavailable(`This server has not reached ${position} yet. Try again.`, RETRY_AFTER_SECONDS)
  } finally {
    clearTimeout(timer)
    // Also ends the watch.
    ended.abort()
  }
}

async function hasReached(store: Log, position: Position, signal: AbortSignal | undefined): Promise<boolean> {
  const reached = await isReached(store, position, { signal })
  if (reached !== undefined) return reached
  throw noPosition()
}

function noPosition(): WorldFault {
  return fieldsFault('invalid_parameter', `${AFTER_HEADER} is no position of this history of the world.`, [
    { in: 'header', name: AFTER_HEADER, reason: 'not_allowed' },
  ])
}
