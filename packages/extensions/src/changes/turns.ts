/** Schedules replays: one works at a time, and requests are served between their pieces. */
import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** Changes read from the log at once: less than a millisecond of work, and about 20 kB without entities. */
const PIECE = 64
/** Maximum bytes of entities in a piece, beyond its first one: the memory that a client costs if it reads nothing. */
const PIECE_BYTES = 65_536
/** Maximum milliseconds per round of the event loop for handing on pieces that others have read. */
const SLICE_MS = 1

/** A request for the next piece of a replay. */
export interface PieceRequest extends Omit<ChangesRequest, 'limit'> {
  readonly entities: boolean
  /** Number of changes in the piece before; absent, or 0, if it does not predict the next one. */
  readonly before?: number
}

/** Runs tasks one after the other, in the order of their arrival. */
export class Turns {
  readonly #waiting: (() => Promise<void>)[] = []
  #isWorking = false

  /** Runs a task when its turn comes. The task settles before the next one begins. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // The task runs in the turn of another, but keeps its own asynchronous context.
    this.#waiting.push(AsyncResource.bind(() => work().then(resolve, reject)))
    if (!this.#isWorking) void this.#workOff()
    return promise
  }

  async #workOff(): Promise<void> {
    this.#isWorking = true
    let ends = performance.now() + SLICE_MS
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await next()
      if (performance.now() < ends) continue
      await nextRound()
      ends = performance.now() + SLICE_MS
    }
    this.#isWorking = false
  }
}

/** Reads one piece of the log. Called in a turn, it has a round of the event loop to itself. */
export async function readPiece(
  log: ChangeLog,
  { entities, before, ...asked }: PieceRequest,
): Promise<ChangesPage> {
  await nextRound()
  // Entities beyond the byte limit would be read in vain, so a piece after a short one requests few.
  const limit = Math.min(PIECE, (before || PIECE) * 2)
  return log.read({ ...asked, limit, ...(entities && { maxBytes: PIECE_BYTES }) })
}
