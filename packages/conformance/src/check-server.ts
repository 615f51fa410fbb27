/** The first role of the kit: a server, judged by its URL. */
import type { CheckResult } from './check/check.ts'
import { runChecks } from './check/run.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { serverChecks } from './server/checks.ts'
import { prerequisitesOf } from './server/prerequisites.ts'
import { Target, type TargetOptions } from './server/target.ts'

/** Which checks, what is known of the world, and how long it may take. */
export interface ServerOptions extends Selection, TargetOptions {
  /** Milliseconds for the whole run; what does not begin in time fails. Default 600,000. */
  readonly totalTime?: number
  /** Ends the run; the results so far have been given. */
  readonly signal?: AbortSignal
}

/**
 * Checks a server from outside: one request at a time, and nothing that writes. Results come as they are found, in
 * the order of the specification. Throws TypeError for an origin that is no URL; else whatever is wrong is a result.
 */
export async function* checkServer(origin: string, options: ServerOptions = {}): AsyncGenerator<CheckResult> {
  const target = new Target(origin, options)
  const close = () => target.close()
  options.signal?.addEventListener('abort', close)
  try {
    const time = options.totalTime === undefined ? {} : { totalTime: options.totalTime }
    yield* runChecks(selectChecks(serverChecks, options), {
      context: () => target,
      prerequisites: prerequisitesOf,
      ...time,
      signal: options.signal,
    })
  } finally {
    options.signal?.removeEventListener('abort', close)
    target.close()
  }
}

/**
 * Why nothing can be checked at an origin: it cannot be reached, or gives no answer of HTTP where its discovery
 * document should be. `undefined` where it answers, whatever it says.
 */
export async function silenceOf(origin: string, signal?: AbortSignal): Promise<string | undefined> {
  const target = new Target(origin)
  const close = () => target.close()
  signal?.addEventListener('abort', close)
  try {
    const { status, trouble } = await target.discovery()
    return status === 0 ? trouble : undefined
  } finally {
    signal?.removeEventListener('abort', close)
    target.close()
  }
}
