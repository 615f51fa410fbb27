/** Schedules replays: one runs at a time, and other requests are served between batches. */
import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { ChangeForm } from './change-json.ts'
import type { ChangeLog, ChangesPage, ChangesRequest } from './change-log.ts'

/** Maximum changes per read. A read takes less than a millisecond, and about 20 kB without entities. */
const PIECE = 64
/** Maximum total size of the entities in a batch of several changes, in bytes. Bounds the memory per stalled client. */
const PIECE_BYTES = 65_536
/** Maximum time per event loop iteration for sending batches that other streams have read, in milliseconds. */
const SLICE_MS = 1

/** Request for the next batch of a replay. */
export interface PieceRequest extends Omit<ChangesRequest, 'limit' | 'withValues'>, ChangeForm {
  /** Number of changes in the previous batch. Absent or 0 if it does not predict the size of the next one. */
  readonly before?: number
}

/** Runs tasks sequentially in order of arrival. */
export class Turns {
  readonly #waiting: (() => Promise<void>)[] = []
  #isWorking = false

  /** Runs `work` once all earlier tasks have settled. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // Another caller's loop may run the task, but the task keeps its own asynchronous context.
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

/** Reads one batch of the log in the next event loop iteration. If called in a turn, has the iteration to itself. */
export async function readPiece(
  log: ChangeLog,
  { entities, where, before, ...asked }: PieceRequest,
): Promise<ChangesPage> {
  await nextRound()
  // Entities beyond the byte limit would be read and discarded, so request few changes after a small batch.
  const limit = Math.min(PIECE, (before || PIECE) * 2)
  const withValues = where !== undefined
  return log.read({ ...asked, limit, withValues, ...((entities || withValues) && { maxBytes: PIECE_BYTES }) })
}
