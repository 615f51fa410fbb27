/**
 * `@worldwright/client/functions`: the client as functions on plain objects, so that a bundler keeps only what a program
 * uses. Three things that the world object of `@worldwright/client` does automatically need a call here: `restore` for
 * stored worlds, `allowing` for a URL policy, and `withMessage` for errors as sentences.
 */
import { begin, type ConnectOptions, read, type WorldData } from './discovery.ts'
import { type KeptWorld, keep } from './freshness.ts'

export { type Allow, allowing } from './allow.ts'
export { action, discover, entities, get, type ListInput, list } from './calls.ts'
export type { ConnectOptions, WorldData } from './discovery.ts'
export { type ClientErrorCode, isWorldError, WorldError, type WorldErrorContext } from './error.ts'
export type { KeptWorld, Received } from './freshness.ts'
export { withMessage } from './messages.ts'
export type { Entities, WalkOptions } from './pages.ts'
export type * from './protocol.ts'
export type { Fetch } from './redirect.ts'
export type { CallOptions, Limits } from './request.ts'

/** Connects to a world by reading its discovery document. Returns plain data, which `get` and the other calls accept. */
export async function connect(origin: string | URL, options: ConnectOptions = {}): Promise<WorldData> {
  const world = begin({}, `${origin}`, options)
  await read(world, options, options.expectWorldId)
  return world
}

/** Restores a stored world, without a request if its caching headers allow that, else by revalidating its document. */
export async function restore(stored: KeptWorld, options: ConnectOptions = {}): Promise<KeptWorld> {
  return keep({}, stored, options)
}
