/** Waiting for a store's position to move. */
import type { MaybePromise, Position } from './contract.ts'

/** A waiting reader, and the last position it has seen. */
interface Waiting {
  readonly seen: Position
  readonly resume: () => void
}

/** Wakes all readers that wait for a position to move. Polls for writes of other processes only while a reader waits. */
export class PositionWatch {
  readonly #read: () => MaybePromise<Position>
  readonly #intervalMs: number | undefined
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `intervalMs`: polling interval, in milliseconds; absent if every move of the position calls `look`. */
  constructor(read: () => MaybePromise<Position>, intervalMs?: number) {
    this.#read = read
    this.#intervalMs = intervalMs
  }

  /** Yields each new position from now on, until the signal aborts or `close` is called. */
  async *positions(signal: AbortSignal): AsyncGenerator<Position> {
    for (let seen = await this.#read(); ; ) {
      if (signal.aborted || this.#isClosed) return
      const now = await this.#read()
      if (now === seen) await this.#moved(seen, signal)
      else {
        seen = now
        yield now
      }
    }
  }

  /** Reads the current position, and wakes the readers that have not seen it. */
  async look(): Promise<void> {
    try {
      const now = await this.#read()
      for (const { seen, resume } of this.#waiting) if (seen !== now) resume()
    } catch {
      // A store that cannot be read now is polled again; its readers get the error.
    }
  }

  /** Ends every wait. */
  close(): void {
    this.#isClosed = true
    for (const { resume } of this.#waiting) resume()
  }

  async #moved(seen: Position, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting: Waiting = { seen, resume: resolve }
    this.#waiting.add(waiting)
    signal.addEventListener('abort', waiting.resume)
    if (this.#intervalMs !== undefined)
      this.#timer ??= setInterval(() => this.look(), this.#intervalMs).unref()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', waiting.resume)
      this.#waiting.delete(waiting)
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }
}
