/** Collecting lines of a log, so that many go out in one piece. */

/** What lines of a log are written to. A promise that it gives is settled when they have gone out. */
export type LineSink = (lines: string) => unknown

/** A longer wait would be noticed by people who watch the log. */
const BATCH_MS = 50
/** Characters after which a batch goes out at once. */
const BATCH_LENGTH = 32_768
/** Characters that may be on their way. If nobody reads them, memory would fill up. */
const MAX_PENDING = 8 * 1024 * 1024

/** Collects whole lines for a short while. Lines that the sink does not take for long are dropped and counted. */
export class LineBatch {
  readonly #sink: LineSink
  readonly #dropped: (count: number) => string
  #lines = ''
  #pending = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined

  /** @param dropped makes the line that says how many lines were dropped */
  constructor(sink: LineSink, dropped: (count: number) => string) {
    this.#sink = sink
    this.#dropped = dropped
  }

  /** Takes a line, its end included. */
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

  /** Writes what was collected. Resolves when the sink has taken it; never rejects. */
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
      // Nobody is there any more who could be told.
    } finally {
      this.#pending -= lines.length
    }
  }
}
