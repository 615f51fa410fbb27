/** Reporter for the test runner of Node.js that prints the test counts as one line of JSON, to be summed over several runs. */

/** Test counts of a run, by outcome. */
export interface Counts {
  readonly tests: number
  readonly passed: number
  readonly failed: number
  readonly cancelled: number
  readonly skipped: number
  readonly todo: number
}

interface SummaryEvent {
  readonly type: string
  readonly data: { readonly counts?: Counts }
}

/** Yields the counts of the run, which come last: if each file has a process, those of each file come before. */
export default async function* counts(events: AsyncIterable<SummaryEvent>): AsyncGenerator<string> {
  let last: Counts | undefined
  for await (const { type, data } of events) if (type === 'test:summary') last = data.counts
  if (last !== undefined) yield `${JSON.stringify(last)}\n`
}
