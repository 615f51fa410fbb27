/** A reporter for Node's test runner that says how many tests there were, as one line of JSON: for a summary of several runs. */

/** How many tests a run had, by what became of them. */
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

/** Gives the counts of the run, which come last: where each file has a process, those of each file come before. */
export default async function* counts(events: AsyncIterable<SummaryEvent>): AsyncGenerator<string> {
  let last: Counts | undefined
  for await (const { type, data } of events) if (type === 'test:summary') last = data.counts
  if (last !== undefined) yield `${JSON.stringify(last)}\n`
}
