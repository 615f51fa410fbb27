/** Interface that every report format implements. */
import type { Judged, Summary } from '../check/baseline.ts'

/** The server or client under test, as named in reports. */
export interface Subject {
  /** Origin of a server, or command of a client. */
  readonly name: string
  readonly profile: string
}

/** Formats results as text: `result` for each result as it arrives, `end` once all results are known. */
export interface Reporter {
  result(result: Judged): string
  end(results: readonly Judged[], summary: Summary): string
}
