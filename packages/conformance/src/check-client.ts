/** The second role of the kit: a client, judged by its requests and its failures. */
import type { Check, CheckResult } from './check/check.ts'
import { runChecks } from './check/run.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { words } from './client/run-client.ts'
import type { Client, ClientFunction } from './client/runner.ts'
import { clientScenarios } from './client/scenarios.ts'
import { Stage, type StageOptions } from './client/stage.ts'

/** Selection of scenarios, and bounds of a run. */
export interface ClientOptions extends Selection, StageOptions {
  /** Scenarios played at the same time. Default 4. */
  readonly concurrency?: number
  /** Milliseconds for the whole run; a scenario that has not begun in time fails. Default 600,000. */
  readonly totalTime?: number
}

const CONCURRENCY = 4

/**
 * Checks a client. For each scenario, plays a world on loopback and starts the command with
 * `show|list|get|discover ORIGIN ARGS --json`: a result is JSON on stdout; a failure is exit code 1 and
 * `{"status","code","details","url"}` as the last line of stderr. A command in one string is split at spaces outside
 * quotes, and is started without a shell. A function is called in this process instead.
 */
export async function* checkClient(
  client: string | readonly string[] | ClientFunction,
  options: ClientOptions = {},
): AsyncGenerator<CheckResult> {
  const subject: Client = typeof client === 'string' ? words(client) : client
  const checks = selectChecks(clientScenarios, options).map(onStage)
  const { concurrency = CONCURRENCY, totalTime, signal } = options
  yield* runChecks(checks, { context: () => new Stage(subject, options), concurrency, totalTime, signal })
}

/** Returns the scenario so that its worlds are closed at its end. */
function onStage(check: Check<Stage>): Check<Stage> {
  return {
    ...check,
    async run(stage) {
      try {
        await check.run(stage)
      } finally {
        await stage.close()
      }
    },
  }
}
