/** Reporter for the test runner of Node.js. Prints the counts of a run as one line of JSON. */
import { type Counts, type NotRun, withSkipped } from './counts.ts'

interface ReportEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    /** Reason why the test was skipped; true if it gives none. */
    readonly skip?: string | boolean
    readonly details?: { readonly type?: string }
    readonly counts?: Omit<Counts, 'notRun'>
  }
}

/** Yields the counts of the whole run. If each file has its own process, these are in the last summary. */
export default async function* counts(events: AsyncIterable<ReportEvent>): AsyncGenerator<string> {
  let last: Omit<Counts, 'notRun'> | undefined
  const notRun: Record<string, NotRun> = {}
  for await (const { type, data } of events) {
    if (type === 'test:summary') last = data.counts
    if (type !== 'test:pass' || data.skip === undefined || data.details?.type === 'suite') continue
    const reason = typeof data.skip === 'string' ? data.skip : 'no reason is given'
    notRun[reason] = withSkipped(notRun[reason], data.name ?? '')
  }
  if (last !== undefined) yield `${JSON.stringify({ ...last, notRun })}\n`
}
