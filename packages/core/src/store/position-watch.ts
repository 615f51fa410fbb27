/** Notification of readers when a store's position changes. */
import type { MaybePromise, Position } from './contract.ts'

interface Waiting {
  readonly seen: Position
  readonly resume: () => void
}

/** Wakes waiting readers when a position changes. Polls for writes by other processes only while a reader is waiting. */
export class PositionWatch {
  readonly #read: () => MaybePromise<Position>
  readonly #intervalMs: number | undefined
  readonly #waiting = new Set<Waiting>()
  #looks = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `intervalMs` is the polling interval, in milliseconds. Not needed if `look` is called after every position change. */
  constructor(read: () => MaybePromise<Position>, intervalMs?: number) {
    this.#read = read
    this.#intervalMs = intervalMs
  }

  /** Yields the current position, and a new one after each change, until the signal aborts or `close` is called. */
  async *positions(signal: AbortSignal): AsyncGenerator<Position> {
    let seen: Position | undefined
    while (!signal.aborted && !this.#isClosed) {
      const looks = this.#looks
      const now = await this.#read()
      if (now !== seen) {
        seen = now
        yield now
      } else if (looks === this.#looks) await this.#moved(seen, signal)
      // A `look` during the read may have announced a change that the read did not see, so read again.
    }
  }

  /** Reads the current position, and wakes the readers that have not seen it. */
  async look(): Promise<void> {
    this.#looks += 1
    try {
      const now = await this.#read()
      for (const { seen, resume } of this.#waiting) if (seen !== now) resume()
    } catch {
      // Ignored: polling continues, and readers get the error from their own reads.
    }
  }

  /** Ends all waits. */
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
