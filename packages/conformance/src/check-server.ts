/** Server role of the kit: judges a server by the responses it sends. */
import type { CheckResult } from './check/check.ts'
import { runChecks } from './check/run.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { serverChecks } from './server/checks.ts'
import { type WorldFacts, worldFacts } from './server/facts.ts'
import { prerequisitesOf } from './server/prerequisites.ts'
import { Target, type TargetOptions } from './server/target.ts'

/** Options for `checkServer`: the checks to run, facts about the world, and limits for the run. */
export interface ServerOptions extends Selection, TargetOptions {
  /** Time limit of the run, in milliseconds; checks not started by then fail. Default 600,000. */
  readonly totalTime?: number
  /** Called at the end of a run that was not aborted, with facts about the world for a report. */
  readonly onFacts?: (facts: WorldFacts) => void
}

/**
 * Checks a server from outside. Sends one request at a time and never writes. Yields each result as soon as it is known,
 * in specification order. Throws TypeError if the origin is not a URL; every other fault is reported as a result.
 */
export async function* checkServer(origin: string, options: ServerOptions = {}): AsyncGenerator<CheckResult> {
  const { signal, totalTime } = options
  const target = new Target(origin, options)
  const run = { context: () => target, prerequisites: prerequisitesOf, totalTime, signal }
  try {
    yield* runChecks(selectChecks(serverChecks, options), run)
    if (!signal?.aborted) options.onFacts?.(await worldFacts(target))
  } finally {
    target.close()
  }
}

/**
 * Returns the reason why nothing at `origin` can be checked, or undefined if `origin` answers the discovery request with any
 * HTTP response.
 */
export async function silenceOf(origin: string, signal?: AbortSignal): Promise<string | undefined> {
  const target = new Target(origin, { signal })
  const { status, trouble } = await target.discovery().finally(() => target.close())
  return status === 0 ? trouble : undefined
}
