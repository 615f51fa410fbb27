/** Turns of replays: one works at a time, and between their pieces requests have their turn. */
import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** Changes read from the log at once: less than a millisecond of work, and about 20 kB without entities. */
const PIECE = 64
/** Bytes of the entities of a piece, beyond its first one: what a client that reads nothing keeps in memory. */
const PIECE_BYTES = 65_536
/** Milliseconds in which pieces that others have read may be handed on in one round of the event loop. */
const SLICE_MS = 1

/** Request for the next piece of a replay. */
export interface PieceRequest extends Omit<ChangesRequest, 'limit'> {
  readonly entities: boolean
  /** Changes in the piece before; absent, or 0, if that says nothing of the next one. */
  readonly before?: number
}

/** Runs works one after the other, in the order in which they came. */
export class Turns {
  readonly #waiting: (() => Promise<void>)[] = []
  #isWorking = false

  /** Runs a work when its turn comes. It settles before the next one begins. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // It works in the turn of another, and in its own asynchronous context.
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

/** Reads one piece of the log. Called in a turn, it has a round of the event loop of its own. */
export async function readPiece(
  log: ChangeLog,
  { entities, before, ...asked }: PieceRequest,
): Promise<ChangesPage> {
  await nextRound()
  // Entities beyond the bytes would be read in vain: a piece after a short one asks for few.
  const limit = Math.min(PIECE, (before || PIECE) * 2)
  return log.read({ ...asked, limit, ...(entities && { maxBytes: PIECE_BYTES }) })
}
