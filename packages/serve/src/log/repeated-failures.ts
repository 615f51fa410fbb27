/** Rate-limits failure records to one per second for each kind, with a count. */

/** One or several failures of the same kind, as plain data. */
export interface Failure {
  /** Description of the failure, in one line. */
  readonly text: string
  /** Stack trace or reason. Failures with the same event and the same first line of this text count as one kind. */
  readonly error: string
  readonly event: string
  /** Id of one affected request, if there is one. */
  readonly requestId?: string
  readonly count: number
}

const PERIOD_MS = 1_000
/** Maximum number of kinds tracked at a time. Further kinds are counted together. */
const MAX_KINDS = 100

interface Kind {
  count: number
  last: Failure
}

/** Reports the first failure of a kind immediately. Combines further ones within the next second into one report. */
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

  /** Reports a failure, or adds it to the count of its kind. */
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
