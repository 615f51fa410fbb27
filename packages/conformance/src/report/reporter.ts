/** Interface that every report format implements. */
import type { Judged, Summary } from '../check/baseline.ts'
import type { Profile } from '../check/check.ts'
import type { WorldFacts } from '../server/facts.ts'

/** A run: the server or client under test, the checks, and the versions that judge. */
export interface Subject {
  /** Origin of a server, or command of a client. */
  readonly name: string
  readonly role: 'server' | 'client'
  readonly profile: Profile
  /** Patterns that select a part of the profile. Absent if the run covers all of it. */
  readonly only?: readonly string[]
  /** Number of checks in the run. A report with fewer results is of a run that was cut short. */
  readonly checks: number
  /** Version of the kit. */
  readonly kit: string
  /** Version of the rules. */
  readonly rules: string
  /** Start of the run, as an ISO 8601 time in UTC. */
  readonly date: string
}

/** Formats results as text: `result` for each result as it arrives, `end` once the run has ended. */
export interface Reporter {
  result(result: Judged): string
  end(results: readonly Judged[], summary: Summary, facts?: WorldFacts): string
}
