import type { Check, CheckResult } from './check/check.ts'
import { runChecks } from './check/run.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { words } from './client/run-client.ts'
import type { Client, ClientFunction } from './client/runner.ts'
import { clientScenarios } from './client/scenarios.ts'
import { Stage, type StageOptions } from './client/stage.ts'

/** Options for `checkClient`: the scenarios to run, and limits for the run. */
export interface ClientOptions extends Selection, StageOptions {
  /** Maximum number of concurrent scenarios. Default 4. */
  readonly concurrency?: number
  /** Time limit of the run, in milliseconds; scenarios not started by then fail. Default 600,000. */
  readonly totalTime?: number
}

const CONCURRENCY = 4

/**
 * Checks a client. Each scenario serves a world on loopback and runs the command with the arguments
 * `show|list|get|discover ORIGIN ARGS --json`. On success the command prints JSON to stdout; on failure it exits with
 * code 1 and prints `{"status","code","details","url"}` as the last line of stderr. If `client` is a string, it is split
 * at spaces outside quotes and started without a shell; if it is a function, it is called in this process.
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

/** Wraps a scenario so that its worlds are closed when it ends. */
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
