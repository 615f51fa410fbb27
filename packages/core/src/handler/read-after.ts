/** Read-your-writes: a request may name a position that the store must reach before it is answered. */
import type { Position, Source, Store } from '../store/contract.ts'
import { isReached } from '../store/positions.ts'
import { storeMoves } from '../store/store-log.ts'
import { fieldsFault, type WorldFault } from '../world/errors.ts'
import type { WorldRequest } from './http.ts'
import { unavailable } from './unavailable.ts'

/** Request header that names the position, as returned by a write. */
export const AFTER_HEADER = 'worldwright-after'

/** Maximum wait of a request, in milliseconds: a replica that is further behind than this is not waited for. */
const MAX_WAIT_MS = 2_000
const RETRY_AFTER_SECONDS = 1

/** The part of a store that positions are compared with. */
type Log = Pick<Store, 'changes' | 'watch'>

/**
 * Waits until the store has reached the position that a request names; a request that names none does not wait.
 * @throws WorldFault `invalid_parameter` for a position of another history, or a malformed one; `unavailable` if the store
 * does not reach it in time
 */
export async function waitForPosition(
  source: Source | Log,
  { headers, signal }: WorldRequest,
): Promise<void> {
  const position = headers[AFTER_HEADER]
  if (position === undefined) return
  // Without a log there are no positions.
  if (!('watch' in source)) throw noPosition()
  const storage: Log = source
  if (await hasReached(storage, position, signal)) return
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), MAX_WAIT_MS)
  const waiting = AbortSignal.any(signal ? [ended.signal, signal] : [ended.signal])
  try {
    for await (const _ of storeMoves(storage, waiting))
      if (await hasReached(storage, position, signal)) return
    signal?.throwIfAborted()
    throw tooFarBehind(position)
  } finally {
    clearTimeout(timer)
    // Also ends the watch.
    ended.abort()
  }
}

async function hasReached(
  storage: Log,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const reached = await isReached(storage, position, { signal })
  if (reached !== undefined) return reached
  throw noPosition()
}

function noPosition(): WorldFault {
  return fieldsFault('invalid_parameter', `${AFTER_HEADER} is no position of this history of the world.`, [
    { in: 'header', name: AFTER_HEADER, reason: 'not_allowed' },
  ])
}

function tooFarBehind(position: Position): WorldFault {
  return unavailable(`This server has not reached ${position} yet. Try again.`, RETRY_AFTER_SECONDS)
}
