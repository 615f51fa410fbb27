/** Floods of failures: one record a second for each kind, with the count. */

/** One failure, or several of a kind, as plain data. */
export interface Failure {
  /** Description of the failure, in one line. */
  readonly text: string
  /** Stack or reason. Failures are of one kind if their event and the first line here are the same. */
  readonly error: string
  readonly event: string
  /** Request id of one of them, if there was a request. */
  readonly requestId?: string
  readonly count: number
}

const PERIOD_MS = 1_000
/** Maximum kinds distinguished at a time. Further kinds are counted together. */
const MAX_KINDS = 100

interface Kind {
  count: number
  last: Failure
}

/** Reports the first failure of a kind at once, and those that follow within a second as one. */
export class RepeatedFailures {
  readonly #report: (failure: Failure) => void
  readonly #kinds = new Map<string, Kind>()
  readonly #after: (run: () => void, ms: number) => void

  /** @param after schedules a function, as `setTimeout` does */
  constructor(
    report: (failure: Failure) => void,
    after: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms).unref(),
  ) {
    this.#report = report
    this.#after = after
  }

  /** Reports a failure, or counts it. */
  note(failure: Failure): void {
    const named = `${failure.event}: ${failure.error.split('\n', 1)[0]}`
    const key = this.#kinds.has(named) || this.#kinds.size < MAX_KINDS ? named : 'others'
    const kind = this.#kinds.get(key)
    if (kind) {
      kind.count += failure.count
      kind.last = failure
      return
    }
    this.#kinds.set(key, { count: 0, last: failure })
    this.#report(failure)
    this.#after(() => this.#ended(key), PERIOD_MS)
  }

  #ended(key: string): void {
    const kind = this.#kinds.get(key)
    if (kind === undefined || kind.count === 0) {
      this.#kinds.delete(key)
      return
    }
    this.#report({ ...kind.last, count: kind.count })
    kind.count = 0
    this.#after(() => this.#ended(key), PERIOD_MS)
  }
}
