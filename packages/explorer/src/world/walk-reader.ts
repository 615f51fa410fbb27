/** Reads a list page by page for a view, until the view is closed. */
import { type Failure, failureFrom, isAborted } from './failure.ts'
import { isEnded, nextPage, type Pages, pageBefore, type Walked } from './walk.ts'

/** State of reading a list page by page. */
export interface WalkState {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
}

/** Options for a list reader. */
export interface WalkOptions {
  readonly pages: Pages
  /** The initial walk, which contains no pages yet. */
  readonly begin: Walked
  readonly limit: number
  readonly walked: Walked | undefined
  readonly onChange: (state: WalkState) => void
}

/** Reader of a list, with its current state. */
export class WalkReader {
  #options: WalkOptions
  #controller = new AbortController()
  #isReading = false
  #state: WalkState

  /** Creates a reader. It reads nothing until `more` is called. */
  constructor(options: WalkOptions) {
    this.#options = options
    this.#state = { walked: options.walked ?? options.begin, failure: undefined, isBusy: false }
  }

  get state(): WalkState {
    return this.#state
  }

  /** Reads the next page, unless a read is in progress or the list has ended. */
  async more(): Promise<void> {
    if (isEnded(this.#state.walked)) return
    await this.#read((walked, signal) =>
      nextPage(this.#options.pages, walked, { limit: this.#options.limit, signal }),
    )
  }

  /** Reads the page before the first loaded page, if the cursor of that page is known. */
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

  /** Reads the next page again after a failure. If the end of the list is in doubt, reads the list again from `begin`. */
  async retry(): Promise<void> {
    if (this.#state.walked.doubt !== undefined) this.#change({ walked: this.#options.begin })
    await this.more()
  }

  /** Reads the list again from `begin`. */
  async restart(): Promise<void> {
    this.stop()
    this.#change({ walked: this.#options.begin, failure: undefined })
    await this.more()
  }

  /** Aborts the read in progress. The entities read so far stay. */
  stop(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#isReading = false
    this.#change({ walked: this.#withoutPages(), isBusy: false })
  }

  /** Returns the walk without its page iterator, so that it continues from its last cursor. */
  #withoutPages(): Walked {
    return { ...this.#state.walked, pages: undefined }
  }

  #change(change: Partial<WalkState>): void {
    this.#state = { ...this.#state, ...change }
    this.#options.onChange(this.#state)
  }
}
