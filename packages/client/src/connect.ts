/**
 * Connects to a world, given nothing but its origin (Level 1, what the service does).
 */
import { type Allow, allowing } from './allow.ts'
import type { ConnectOptions } from './discovery.ts'
import { type KeptWorld, keep } from './freshness.ts'
import { withMessage } from './messages.ts'
import type { AnyTypes, WorldTypes } from './types.ts'
import { METHODS, type World } from './world.ts'

/** Options for connecting to a world and getting a `World` object with methods. */
export interface WorldOptions extends ConnectOptions {
  /**
   * Called before every request, including redirects if the runtime exposes them. If the result is anything but `true`, the
   * request fails with `insecure_endpoint`.
   */
  allow?: Allow | undefined
}

/**
 * Connects to a world by reading the discovery document of its origin, given as `https://host[:port]` or as the full
 * well-known URL. A stored world, from JSON or structured clone, is restored without a request if its document is still
 * fresh; a stale document is revalidated.
 * Rejects with `invalid_argument` before anything is sent; with `not_a_world`, `unsupported_protocol`, `invalid_response`,
 * `insecure_endpoint` or `world_mismatch` if this client cannot use the document; and with the errors of any call.
 * `Types` is the type that `npx worldwright types` generates for this world.
 */
export async function connect<Types extends WorldTypes = AnyTypes>(
  from: string | URL | KeptWorld,
  { allow, ...options }: WorldOptions = {},
): Promise<World<Types>> {
  const fetch = allow ? allowing(allow, options.fetch) : options.fetch
  return withMessage(() => keep(Object.create(METHODS), from, { ...options, fetch }))
}
