/** The first role of the kit: a server, judged by its URL. */
import type { CheckResult } from './check/check.ts'
import { runChecks } from './check/run.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { serverChecks } from './server/checks.ts'
import { prerequisitesOf } from './server/prerequisites.ts'
import { Target, type TargetOptions } from './server/target.ts'

/** Selection of checks, knowledge of the world, and bounds of a run. */
export interface ServerOptions extends Selection, TargetOptions {
  /** Milliseconds for the whole run; a check that has not begun in time fails. Default 600,000. */
  readonly totalTime?: number
}

/**
 * Checks a server from outside: one request at a time, and none that writes. Results come as they are found, in
 * the order of the specification. Throws TypeError for an origin that is no URL; any other fault is a result.
 */
export async function* checkServer(origin: string, options: ServerOptions = {}): AsyncGenerator<CheckResult> {
  const { signal, totalTime } = options
  const target = new Target(origin, options)
  const run = { context: () => target, prerequisites: prerequisitesOf, totalTime, signal }
  try {
    yield* runChecks(selectChecks(serverChecks, options), run)
  } finally {
    target.close()
  }
}

/**
 * Returns why nothing can be checked at an origin: it cannot be reached, or gives no HTTP answer at the path of its
 * discovery document. `undefined` if it answers, whatever the answer.
 */
export async function silenceOf(origin: string, signal?: AbortSignal): Promise<string | undefined> {
  const target = new Target(origin, { signal })
  const { status, trouble } = await target.discovery().finally(() => target.close())
  return status === 0 ? trouble : undefined
}
