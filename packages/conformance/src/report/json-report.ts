import type { Reporter, Subject } from './reporter.ts'
import { verdictOf } from './verdict.ts'

/** Creates a reporter that writes one JSON document at the end of the run. */
export function jsonReporter(subject: Subject): Reporter {
  return {
    result: () => '',
    end(results, summary, facts) {
      const report = { ...subject, ...facts, verdict: verdictOf(subject, results), summary, results }
      return `${JSON.stringify(report, null, 2)}\n`
    },
  }
}
