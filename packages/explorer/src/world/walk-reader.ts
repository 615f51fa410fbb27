/** Reads a list page by page for a view, one page at a time, until the view ends. */
import type { World } from '@worldwright/client'
import { type Failure, isAborted } from './failure.ts'
import { isEnded, nextPage, type Walked, walkFrom } from './walk.ts'

/** How the reading of a list stands. */
export interface WalkState {
  readonly walked: Walked
  readonly failure: Failure | undefined
  readonly isBusy: boolean
}

/** What a reader is made for. */
export interface WalkOptions {
  readonly type: string
  /** Where the list begins; undefined for its start. */
  readonly cursor: string | undefined
  /** Entities asked for with each page. */
  readonly limit: number
  /** What was read before, if anything. */
  readonly walked: Walked | undefined
  readonly failureFrom: (error: unknown) => Failure
  readonly onChange: (state: WalkState) => void
}

/** A list that is being read. */
export class WalkReader {
  #world: World
  #options: WalkOptions
  #controller = new AbortController()
  #isReading = false
  #state: WalkState

  /** Reads nothing before `more` is called. */
  constructor(world: World, options: WalkOptions) {
    this.#world = world
    this.#options = options
    this.#state = { walked: options.walked ?? walkFrom(options.cursor), failure: undefined, isBusy: false }
  }

  get state(): WalkState {
    return this.#state
  }

  /** Reads the next page, unless one is on its way or there is none. */
  async more(): Promise<void> {
    if (this.#isReading || isEnded(this.#state.walked)) return
    this.#isReading = true
    const { signal } = this.#controller
    const { type, limit, failureFrom } = this.#options
    this.#change({ failure: undefined, isBusy: true })
    try {
      const walked = await nextPage(this.#world, type, this.#state.walked, { limit, signal })
      if (signal.aborted) return
      this.#change({ walked, failure: walked.doubt && failureFrom(walked.doubt.error), isBusy: false })
    } catch (error) {
      if (signal.aborted || isAborted(error)) return
      this.#change({ walked: this.#withoutPages(), failure: failureFrom(error), isBusy: false })
    } finally {
      if (this.#controller.signal === signal) this.#isReading = false
    }
  }

  /** Reads the page again that failed; where the end is in doubt, the list from its beginning. */
  async retry(): Promise<void> {
    if (this.#state.walked.doubt !== undefined) this.#change({ walked: walkFrom(this.#options.cursor) })
    await this.more()
  }

  /** Reads the list from where it began, as it is now. */
  async restart(): Promise<void> {
    this.stop()
    this.#change({ walked: walkFrom(this.#options.cursor), failure: undefined })
    await this.more()
  }

  /** Gives up the page that is on its way; what is there stays. */
  stop(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#isReading = false
    this.#change({ walked: this.#withoutPages(), isBusy: false })
  }

  /** A walk that was ended goes on from its last cursor. */
  #withoutPages(): Walked {
    return { ...this.#state.walked, pages: undefined }
  }

  #change(change: Partial<WalkState>): void {
    this.#state = { ...this.#state, ...change }
    this.#options.onChange(this.#state)
  }
}
