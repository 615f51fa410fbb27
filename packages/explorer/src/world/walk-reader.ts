/** Reads a list page by page for a view, one page at a time, until the view ends. */
import { type Failure, failureFrom, isAborted } from './failure.ts'
import { isEnded, nextPage, type Pages, pageBefore, type Walked } from './walk.ts'

/** State of reading a list page by page. */
export interface WalkState {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
}

/** Options of the reader of a list. */
export interface WalkOptions {
  readonly pages: Pages
  /** The walk at the beginning of the list, with nothing read. */
  readonly begin: Walked
  readonly limit: number
  readonly walked: Walked | undefined
  readonly onChange: (state: WalkState) => void
}

/** A list that is being read. */
export class WalkReader {
  #options: WalkOptions
  #controller = new AbortController()
  #isReading = false
  #state: WalkState

  /** Reads nothing before `more` is called. */
  constructor(options: WalkOptions) {
    this.#options = options
    this.#state = { walked: options.walked ?? options.begin, failure: undefined, isBusy: false }
  }

  get state(): WalkState {
    return this.#state
  }

  /** Reads the next page, unless one is pending or there is none. */
  async more(): Promise<void> {
    if (isEnded(this.#state.walked)) return
    await this.#read((walked, signal) =>
      nextPage(this.#options.pages, walked, { limit: this.#options.limit, signal }),
    )
  }

  /** Reads the page before the first one, if the way to it is known. */
  async earlier(): Promise<void> {
    await this.#read((walked, signal) => pageBefore(this.#options.pages, walked, signal))
  }

  async #read(page: (walked: Walked, signal: AbortSignal) => Promise<Walked>): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const { signal } = this.#controller
    this.#change({ failure: undefined, isBusy: true })
    try {
      const walked = await page(this.#state.walked, signal)
      if (signal.aborted) return
      this.#change({ walked, failure: walked.doubt && failureFrom(walked.doubt.error), isBusy: false })
    } catch (error) {
      if (signal.aborted || isAborted(error)) return
      this.#change({ walked: this.#withoutPages(), failure: failureFrom(error), isBusy: false })
    } finally {
      if (this.#controller.signal === signal) this.#isReading = false
    }
  }

  /** Reads the failed page again; if the end is in doubt, the list from its beginning. */
  async retry(): Promise<void> {
    if (this.#state.walked.doubt !== undefined) this.#change({ walked: this.#options.begin })
    await this.more()
  }

  /** Reads the list again from where it began. */
  async restart(): Promise<void> {
    this.stop()
    this.#change({ walked: this.#options.begin, failure: undefined })
    await this.more()
  }

  /** Aborts the pending page; the entities read so far stay. */
  stop(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#isReading = false
    this.#change({ walked: this.#withoutPages(), isBusy: false })
  }

  /** Drops the iterator of pages, so that a stopped walk resumes from its last cursor. */
  #withoutPages(): Walked {
    return { ...this.#state.walked, pages: undefined }
  }

  #change(change: Partial<WalkState>): void {
    this.#state = { ...this.#state, ...change }
    this.#options.onChange(this.#state)
  }
}
