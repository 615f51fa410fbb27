import { sentenceOf } from '../spec/sentences.ts'
import { type Check, type CheckResult, Failure, NotApplicable, NotAsked, Warning } from './check.ts'

/** Options for `runChecks`: context, limits and prerequisites. */
export interface RunOptions<Context> {
  /** Returns the context for a check. Called once per check. */
  readonly context: () => Context
  /** Maximum number of concurrent checks. Default 1. */
  readonly concurrency?: number
  /** Time limit of the run, in milliseconds; checks not started by then fail. Default 600,000. */
  readonly totalTime?: number | undefined
  /** Aborts the run: no further check starts, and unfinished checks yield no result. */
  readonly signal?: AbortSignal | undefined
  /** Returns the ids of checks that must pass before a check runs. Ids not in this run are ignored. Default: none. */
  readonly prerequisites?: (id: string) => readonly string[]
}

const TOTAL_TIME_MS = 600_000

/** Runs `checks` and yields their results in the same order. An error thrown by a check becomes its result. */
export async function* runChecks<Context>(
  checks: readonly Check<Context>[],
  options: RunOptions<Context>,
): AsyncGenerator<CheckResult> {
  const end = performance.now() + (options.totalTime ?? TOTAL_TIME_MS)
  const running: Promise<CheckResult>[] = []
  const waiting = [...checks]
  // Maps each failed check to itself, and each check skipped because of a failure to the check that failed.
  const blamed = new Map<string, string>()
  const start = () => {
    const check = options.signal?.aborted ? undefined : waiting.shift()
    if (check === undefined) return
    const before = options.prerequisites?.(check.id) ?? []
    const after = before.map((id) => blamed.get(id)).find((id) => id !== undefined)
    running.push(runOne(check, options.context(), end, after))
  }
  for (let slot = 0; slot < (options.concurrency ?? 1); slot += 1) start()
  for (let result = running.shift(); result !== undefined; result = running.shift()) {
    const done = await result
    if (options.signal?.aborted) return
    const blame = done.outcome === 'fail' ? done.id : done.after
    if (blame !== undefined) blamed.set(done.id, blame)
    start()
    yield done
  }
}

async function runOne<Context>(
  check: Check<Context>,
  context: Context,
  end: number,
  after: string | undefined,
): Promise<CheckResult> {
  const { id, rules, profile, demands } = check
  const begin = performance.now()
  const result = (rest: Pick<CheckResult, 'outcome'> & Partial<CheckResult>): CheckResult => ({
    id,
    rules,
    profile,
    demands,
    sentence: sentenceOf(rules[0] ?? ''),
    ...rest,
    milliseconds: Math.round(performance.now() - begin),
  })
  if (begin > end) return result({ outcome: 'fail', reason: 'The time for the whole run was used up.' })
  if (after !== undefined)
    return result({ outcome: 'not-asked', reason: `${after} has to pass first`, after })
  try {
    await check.run(context)
    return result({ outcome: 'pass' })
  } catch (thrown) {
    if (thrown instanceof NotApplicable) return result({ outcome: 'not-applicable', reason: thrown.message })
    if (thrown instanceof NotAsked)
      return result({ outcome: 'not-asked', reason: thrown.message, ...thrown.remedy })
    if (!(thrown instanceof Failure)) return result({ outcome: 'fail', reason: `The check broke: ${thrown}` })
    const { message: reason, exchanges, runs } = thrown
    return result({ outcome: thrown instanceof Warning ? 'warning' : 'fail', reason, exchanges, runs })
  }
}
