/**
 * From an origin to a world: the only entry point, which starts from the origin alone (Level 1, what the service does).
 */
import { type Allow, allowing } from './allow.ts'
import type { ConnectOptions } from './discovery.ts'
import { type KeptWorld, keep } from './freshness.ts'
import { withMessage } from './messages.ts'
import type { AnyTypes, WorldTypes } from './types.ts'
import { METHODS, type World } from './world.ts'

/** Options of connecting to a world that answers with methods. */
export interface WorldOptions extends ConnectOptions {
  /**
   * Called before every request, redirects included if the runtime exposes them: anything but `true` refuses the URL
   * with `insecure_endpoint`.
   */
  allow?: Allow | undefined
}

/**
 * Reads the discovery document of a world origin (`https://host[:port]`, or the full well-known URL there). A stored
 * world, from JSON or structured clone, is restored without a request for as long as its headers allow; after that its
 * origin is asked whether it is still current.
 * Rejects with `invalid_argument` before anything is sent; `not_a_world`, `unsupported_protocol`, `invalid_response`,
 * `insecure_endpoint` or `world_mismatch` for a document this client cannot use; and as every call does.
 * `Types` is what `npx worldwright types` writes for this world.
 */
export async function connect<Types extends WorldTypes = AnyTypes>(
  from: string | URL | KeptWorld,
  { allow, ...options }: WorldOptions = {},
): Promise<World<Types>> {
  const fetch = allow ? allowing(allow, options.fetch) : options.fetch
  return withMessage(() => keep(Object.create(METHODS), from, { ...options, fetch }))
}
