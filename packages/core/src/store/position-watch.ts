/** Waiting for a store's position to move. */
import type { MaybePromise, Position } from './contract.ts'

/** Somebody who waits, and what he has seen already. */
interface Waiting {
  readonly seen: Position
  readonly resume: () => void
}

/** Wakes everybody who waits for a position to move. It looks for what others wrote only while somebody waits. */
export class PositionWatch {
  readonly #read: () => MaybePromise<Position>
  readonly #intervalMs: number | undefined
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `intervalMs`: how often to look; absent where every move of the position calls `look`. */
  constructor(read: () => MaybePromise<Position>, intervalMs?: number) {
    this.#read = read
    this.#intervalMs = intervalMs
  }

  /** Each new position from now on, until the signal is aborted or `close` is called. */
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

  /** Looks where the position is now, and wakes those who have not seen it. */
  async look(): Promise<void> {
    try {
      const now = await this.#read()
      for (const { seen, resume } of this.#waiting) if (seen !== now) resume()
    } catch {
      // A store that cannot be read just now is looked at again; readers of it get the error.
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
