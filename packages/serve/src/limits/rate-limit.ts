/** Rate limit per address or token, in requests per minute, counted across all processes. */

/** Request counts by address or token, for exchange between processes. */
export type Uses = readonly (readonly [key: string, count: number])[]

/** Budget of an address or token after a request. */
export interface Budget {
  readonly isSpent: boolean
  /** Requests left in this minute. */
  readonly remaining: number
  /** Whole seconds until the full budget is available again. */
  readonly resetSeconds: number
}

/** Length of the window in which requests are counted, in seconds. */
const WINDOW_SECONDS = 60

/** Maximum number of addresses and tokens counted, which use about 20 MB. Beyond it, the oldest counts are evicted. */
const MAX_KEYS = 100_000

/** Interval at which processes exchange counts, in milliseconds. */
const SHARE_MS = 100

/** Counts requests by key in fixed windows. The window of a key begins with its first request. */
export class RateLimit {
  /** Maximum requests per window. */
  readonly limit: number
  readonly windowSeconds = WINDOW_SECONDS
  /** Addresses that have no limit. */
  readonly isExempt: (address: string) => boolean
  /** Counts by key, ordered by window end on the monotonic clock of `performance.now()`. */
  readonly #counts = new Map<string, { used: number; readonly ends: number }>()
  #share: ((uses: Uses) => void) | undefined
  #uses = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(limit: number, isExempt: (address: string) => boolean = () => false) {
    this.limit = limit
    this.isExempt = isExempt
  }

  /** Starts passing the new counts of this process to `share` periodically. */
  shareWith(share: (uses: Uses) => void): void {
    this.#share = share
  }

  /** Counts a request and returns the remaining budget. */
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

  /** Adds the counts of another process. */
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
