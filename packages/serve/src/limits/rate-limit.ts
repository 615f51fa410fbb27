/** How many requests one address, or one token, may make in a minute, counted by all processes together. */

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

/** Addresses and tokens that are counted at a time: about 20 MB. Beyond them, the oldest begin anew. */
const MAX_KEYS = 100_000

/** Processes tell each other this often: for as long, each knows only its own. */
const SHARE_MS = 100

/** Counts requests by key. Each minute begins with the first request of its key. */
export class RateLimit {
  /** Requests in a minute. */
  readonly limit: number
  readonly windowSeconds = WINDOW_SECONDS
  /** Addresses that have no limit. */
  readonly isExempt: (address: string) => boolean
  /** In the order in which their minutes end, as of `performance.now()`: no clock that somebody sets. */
  readonly #counts = new Map<string, { used: number; readonly ends: number }>()
  #share: ((uses: Uses) => void) | undefined
  #uses = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(limit: number, isExempt: (address: string) => boolean = () => false) {
    this.limit = limit
    this.isExempt = isExempt
  }

  /** Tells others what is counted here from now on. */
  shareWith(share: (uses: Uses) => void): void {
    this.#share = share
  }

  /** Counts a request. */
  take(key: string): Budget {
    const now = performance.now()
    const { used, ends } = this.#add(key, 1, now)
    if (this.#share) {
      this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
      if (this.#timer === undefined) this.#timer = setTimeout(() => this.#tell(), SHARE_MS).unref()
    }
    return {
      isSpent: used > this.limit,
      remaining: Math.max(0, this.limit - used),
      resetSeconds: Math.ceil((ends - now) / 1_000),
    }
  }

  /** Adds what another process counted. */
  note(uses: Uses): void {
    const now = performance.now()
    for (const [key, count] of uses) this.#add(key, count, now)
  }

  #add(key: string, uses: number, now: number) {
    let count = this.#counts.get(key)
    if (count === undefined || count.ends <= now) {
      this.#counts.delete(key)
      this.#forget(now)
      count = { used: 0, ends: now + WINDOW_SECONDS * 1_000 }
      this.#counts.set(key, count)
    }
    count.used += uses
    return count
  }

  #forget(now: number): void {
    for (const [key, { ends }] of this.#counts) {
      if (ends > now && this.#counts.size < MAX_KEYS) return
      this.#counts.delete(key)
    }
  }

  #tell(): void {
    this.#timer = undefined
    const uses = [...this.#uses]
    this.#uses = new Map()
    this.#share?.(uses)
  }
}
