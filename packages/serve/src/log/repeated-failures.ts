/** Failures that come in floods: one record a second for each kind, with how many there were. */

/** One failure, or several of a kind: plain data. */
export interface Failure {
  /** What happened, in one line. */
  readonly text: string
  /** The stack, or the reason. Failures of one event with the same first line here are of a kind. */
  readonly error: string
  readonly event: string
  /** Of one of them, if there was a request. */
  readonly requestId?: string
  readonly count: number
}

const PERIOD_MS = 1_000
/** Kinds that are told apart at a time. More are counted together. */
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

  /** @param after runs something later, as `setTimeout` does */
  constructor(
    report: (failure: Failure) => void,
    after: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms).unref(),
  ) {
    this.#report = report
    this.#after = after
  }

  /** Takes a failure. */
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
