/** Batches log lines, so that many are written at once. */

/** Destination of log lines. If it returns a promise, the promise settles when the lines are written. */
export type LineSink = (lines: string) => unknown

/** Maximum age of a batch, in milliseconds. A longer delay would be noticeable when following the log. */
const BATCH_MS = 50
/** Batch size that triggers a write, in characters. */
const BATCH_LENGTH = 32_768
/** Maximum number of buffered characters, so that a stalled sink cannot exhaust memory. */
const MAX_PENDING = 8 * 1024 * 1024

/** Collects lines and writes them in batches. If the sink stalls, lines are dropped and counted. */
export class LineBatch {
  readonly #sink: LineSink
  readonly #dropped: (count: number) => string
  #lines = ''
  #pending = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined

  /** @param dropped formats a line that reports how many lines were dropped */
  constructor(sink: LineSink, dropped: (count: number) => string) {
    this.#sink = sink
    this.#dropped = dropped
  }

  /** Adds a line, which must include its line break. */
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

  /** Writes the collected lines. Resolves when the sink has written them, and never rejects. */
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
      // A failure of the log itself cannot be reported.
    } finally {
      this.#pending -= lines.length
    }
  }
}
