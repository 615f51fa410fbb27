/** Results for programs: one JSON document. */
import type { Reporter, Subject } from './reporter.ts'

/** Creates a reporter that writes JSON, all at the end. */
export function jsonReporter(subject: Subject): Reporter {
  return {
    result: () => '',
    end: (results, summary) => `${JSON.stringify({ ...subject, summary, results }, null, 2)}\n`,
  }
}
