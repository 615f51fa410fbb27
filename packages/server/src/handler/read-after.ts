/** Reading one's own writes: a request may name a position that the store has to reach before it is answered. */
import type { Position, Storage } from '../storage/contract.ts'
import { fieldsFault, WorldFault } from '../world/errors.ts'
import type { WorldRequest } from './http.ts'
import { storeMoves } from './store-moves.ts'

/** The header that names the position, as a write answered with it. */
export const AFTER_HEADER = 'worldwright-after'

/** Milliseconds that a request waits: a copy that is further behind than this is not to be waited for. */
const MAX_WAIT_MS = 2_000
const RETRY_AFTER_SECONDS = 1

/**
 * Waits until the store has come as far as a request asks; requests that ask for nothing do not wait.
 * @throws WorldFault `invalid_parameter` for a position of another history, or none; `unavailable` where the store does
 *   not come as far in time
 */
export async function waitForPosition(
  storage: Pick<Storage, 'hasReached' | 'watch'>,
  { headers, signal }: WorldRequest,
): Promise<void> {
  const position = headers[AFTER_HEADER]
  if (position === undefined || (await hasReached(storage, position, signal))) return
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
    // Ends the watch as well.
    ended.abort()
  }
}

async function hasReached(
  storage: Pick<Storage, 'hasReached'>,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const reached = await storage.hasReached(position, { signal })
  if (reached !== undefined) return reached
  throw fieldsFault('invalid_parameter', `${AFTER_HEADER} is no position of this history of the world.`, [
    { in: 'header', name: AFTER_HEADER, reason: 'not_allowed' },
  ])
}

function tooFarBehind(position: Position): WorldFault {
  return new WorldFault(
    'unavailable',
    `This server has not reached ${position} yet. Try again.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
}
