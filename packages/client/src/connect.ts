/**
 * From an origin to a world: the only way in, and it starts from the origin alone (Level 1, what the service does).
 */
import { originFrom } from './address.ts'
import { discover } from './discovery.ts'
import { need } from './error.ts'
import type { Fetch } from './redirect.ts'
import { type CallOptions, milliseconds, type Settings } from './request.ts'
import { createWorld, type World } from './world.ts'

/** How to connect. All but `signal` and `expectWorldId` hold for every later call too. */
export interface ConnectOptions extends CallOptions {
  /** Sends the requests instead of the runtime's `fetch`: a proxy, a handler in the same process. */
  fetch?: Fetch | undefined
  /** Bearer token, sent to the origin of `endpoints.api` alone: not to discovery, not over plain http, not onwards. */
  token?: string | undefined
  /** Sent with every request to the world, discovery included; no `Authorization`, which is what `token` is for. */
  headers?: Record<string, string> | undefined
  /** Milliseconds for one call, all its attempts included. Default 30000. */
  timeout?: number | undefined
  /** Milliseconds one attempt of a safe call may go without a byte arriving. Default 10000. */
  attemptTimeout?: number | undefined
  /** How often a safe call is tried again. Default 2. */
  retries?: number | undefined
  /** Aborts the connecting; later calls take their own. */
  signal?: AbortSignal | undefined
  /** The `world.id` that must answer, else `world_mismatch`. */
  expectWorldId?: string | undefined
}

/**
 * Reads the discovery document of a world origin (`https://host[:port]`, or the full well-known URL there).
 * Rejects with `invalid_argument` before anything is sent; `not_a_world`, `unsupported_protocol`, `invalid_response`,
 * `insecure_endpoint` or `world_mismatch` for a document this client cannot use; and as every call does.
 */
export async function connect(origin: string | URL, options: ConnectOptions = {}): Promise<World> {
  const home = originFrom(origin)
  const settings = settingsFrom(options)
  const { signal, expectWorldId } = options
  return createWorld(home, settings, await discover(home, settings, { signal }, expectWorldId))
}

function settingsFrom({
  fetch,
  token,
  headers,
  timeout,
  attemptTimeout,
  retries = 2,
}: ConnectOptions): Settings {
  need(token === undefined || /^[!-~]+$/.test(token), 'A token is visible ASCII without spaces.')
  need(retries >= 0, 'retries is a number of 0 or more.')
  let given: Headers | undefined
  try {
    given = new Headers(headers)
  } catch {
    // Not passed on as a cause: the runtime's message would repeat the value.
  }
  need(given && !given.has('authorization'), 'headers must be valid HTTP, and Authorization goes in token.')
  return {
    fetch,
    token,
    headers: given,
    retries,
    timeout: milliseconds(timeout ?? 30_000),
    attemptTimeout: milliseconds(attemptTimeout ?? 10_000),
  }
}
