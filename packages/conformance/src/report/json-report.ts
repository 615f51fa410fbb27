/** JSON report: a single document for programs to read. */
import type { Reporter, Subject } from './reporter.ts'

/** Creates a reporter that writes one JSON document at the end of the run. */
export function jsonReporter(subject: Subject): Reporter {
  return {
    result: () => '',
    end: (results, summary) => `${JSON.stringify({ ...subject, summary, results }, null, 2)}\n`,
  }
}
