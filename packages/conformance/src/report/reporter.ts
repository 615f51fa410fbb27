/** Interface of the reports. */
import type { Judged, Summary } from '../check/baseline.ts'

/** Subject of a run, as reports name it. */
export interface Subject {
  /** The origin of a server, or the command of a client. */
  readonly name: string
  readonly profile: string
}

/** Returns text to write: for each result as it comes, and at the end. */
export interface Reporter {
  result(result: Judged): string
  end(results: readonly Judged[], summary: Summary): string
}
