/** How many requests one address, or one token, may make in a minute, counted by all processes together. */
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** What processes tell each other: whose requests they counted, and how many. */
export type Uses = readonly (readonly [key: string, count: number])[]

/** How somebody stands after a request. */
export interface Budget {
  readonly isSpent: boolean
  /** Requests left in this minute. */
  readonly remaining: number
  /** Whole seconds until all of them are back. */
  readonly resetSeconds: number
}

/** The minute that requests are counted in, in seconds. */
const WINDOW_SECONDS = 60

/** Processes tell each other this often: for as long, each knows only its own. */
const SHARE_MS = 100

/** Counts requests by key. Each minute begins with the first request of its key. */
export class RateLimit {
  /** Requests in a minute. */
  readonly limit: number
  readonly windowSeconds = WINDOW_SECONDS
  readonly #counts: RateLimiterMemory
  #share: ((uses: Uses) => void) | undefined
  #uses = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(limit: number) {
    this.limit = limit
    this.#counts = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS })
  }

  /** Tells others what is counted here from now on. */
  shareWith(share: (uses: Uses) => void): void {
    this.#share = share
  }

  /** Counts a request. */
  async take(key: string): Promise<Budget> {
    const { consumedPoints, remainingPoints, msBeforeNext } = await this.#counts.penalty(key, 1)
    if (this.#share) {
      this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
      if (this.#timer === undefined) this.#timer = setTimeout(() => this.#tell(), SHARE_MS).unref()
    }
    return {
      isSpent: consumedPoints > this.limit,
      remaining: Math.max(0, remainingPoints),
      // A clock that was set back would make years of it; counts end by a timer.
      resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1_000))),
    }
  }

  /** Adds what another process counted. */
  async note(uses: Uses): Promise<void> {
    for (const [key, count] of uses) await this.#counts.penalty(key, count)
  }

  #tell(): void {
    this.#timer = undefined
    const uses = [...this.#uses]
    this.#uses = new Map()
    this.#share?.(uses)
  }
}
