/** Batching of log lines, so that many are written in one piece. */

/** Destination of log lines. A promise that it returns settles when they are written. */
export type LineSink = (lines: string) => unknown

/** Maximum age of a batch, in milliseconds: people who watch the log would notice a longer delay. */
const BATCH_MS = 50
/** Characters after which a batch is written at once. */
const BATCH_LENGTH = 32_768
/** Maximum characters in flight: without a bound, a sink that stalls would fill the memory. */
const MAX_PENDING = 8 * 1024 * 1024

/** Collects whole lines for a short while. If the sink stalls for long, lines are dropped and counted. */
export class LineBatch {
  readonly #sink: LineSink
  readonly #dropped: (count: number) => string
  #lines = ''
  #pending = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined

  /** @param dropped makes the line that reports the number of dropped lines */
  constructor(sink: LineSink, dropped: (count: number) => string) {
    this.#sink = sink
    this.#dropped = dropped
  }

  /** Adds a line, including its line end. */
  add(line: string): void {
    if (this.#pending + this.#lines.length > MAX_PENDING) {
      this.#lost += 1
      return
    }
    if (this.#lost > 0) this.#lines += this.#dropped(this.#lost)
    this.#lost = 0
    this.#lines += line
    if (this.#lines.length >= BATCH_LENGTH) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref()
  }

  /** Writes the collected lines. Resolves when the sink has taken them; never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const lines = this.#lines
    if (lines === '') return
    this.#lines = ''
    this.#pending += lines.length
    try {
      await this.#sink(lines)
    } catch {
      // There is nowhere left to report it.
    } finally {
      this.#pending -= lines.length
    }
  }
}
