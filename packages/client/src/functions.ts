/**
 * `@worldwright/client/functions`: the client as functions of a plain object, so that a bundler keeps only what a
 * program uses. What the world object of `@worldwright/client` does by itself is explicit here: `restore` for stored
 * worlds, `allowing` for a URL policy.
 */
import { begin, type ConnectOptions, read, type WorldData } from './discovery.ts'
import { type KeptWorld, keep } from './freshness.ts'

export { type Allow, allowing } from './allow.ts'
export { action, discover, entities, get, type ListInput, list } from './calls.ts'
export type { ConnectOptions, WorldData } from './discovery.ts'
export { type ClientErrorCode, isWorldError, WorldError, type WorldErrorContext } from './error.ts'
export type { KeptWorld, Received } from './freshness.ts'
export type { Entities, WalkOptions } from './pages.ts'
export type * from './protocol.ts'
export type { Fetch } from './redirect.ts'
export type { CallOptions, Limits } from './request.ts'

/** Reads a world's discovery document. The result is plain data, which `get`, `discover` and the others take. */
export async function connect(origin: string | URL, options: ConnectOptions = {}): Promise<WorldData> {
  const world = begin({}, `${origin}`, options)
  await read(world, options, options.expectWorldId)
  return world
}

/** Restores a stored world: without a request while its headers allow that, else from its origin. */
export async function restore(stored: KeptWorld, options: ConnectOptions = {}): Promise<KeptWorld> {
  return keep({}, stored, options)
}
