/**
 * `@worldwright/client/changes`: follows a world that has the extension `worldwright:changes`. The methods `changes` and
 * `watch` of a world load this module on first use.
 */
import { get } from './calls.ts'
import type { Change, ChangesPage } from './change.ts'
import type { WorldData } from './discovery.ts'
import { isWorldError } from './error.ts'
import { type ChangesOptions, Follower, type PageOptions } from './follower.ts'
import { withMessage } from './messages.ts'
import type { Entity } from './protocol.ts'
import type { CallOptions } from './request.ts'

export type { Change, ChangesPage, Deletion, Leave, Put } from './change.ts'
export { type ChangesOptions, isExpired, type PageOptions, willPass } from './follower.ts'

/** Options for watching one entity. */
export type WatchOptions = Pick<CallOptions, 'signal'>

/**
 * Yields all changes after `since`, then new changes as they happen, until the caller leaves the loop or the signal aborts.
 * Without `since`, yields every entity and every retained tombstone first. Each change is yielded once: after a lost
 * connection or a restart of the world, the loop resumes at its last offset. A failure before the first response is thrown,
 * as by any safe call; later temporary failures are retried with pauses of up to 30 seconds.
 * Throws `unsupported_extension` if the world does not declare the extension, or declares no `where` and one is given. Throws
 * `changes_expired` if tombstones after `since` may have been discarded or the world was restored from a backup: start again
 * without `since`.
 */
export async function* changes(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).changes())
}

/**
 * Returns the page of the log after `since`, with at most 1,000 changes. For programs that store the offset themselves.
 * Fails with the same codes as `changes` and any safe call.
 */
export async function changesPage(world: WorldData, options: PageOptions = {}): Promise<ChangesPage> {
  return withMessage(async () => new Follower(world, options).read())
}

/**
 * Yields the position of each event after `since` (an empty string if it has none), and undefined for heartbeats. Ends when
 * the world ends the stream. Fails as any safe call does, or with `timeout` if the stream is silent; never retries.
 */
export async function* positions(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<string | undefined, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).positions())
}

/**
 * Returns the offset at the end of the log. A later call that passes it as `since`, with the same `types`, receives only
 * newer changes. Fails as any safe call does.
 */
export async function latest(
  world: WorldData,
  { types, signal }: Pick<ChangesOptions, 'types' | 'signal'> = {},
): Promise<string> {
  return withMessage(async () => new Follower(world, { since: 'now', types, signal }).start())
}

/** Yields an entity's state now and after each change, or undefined if it does not exist. Fails as `changes` does. */
export async function* watch(
  world: WorldData,
  type: string,
  id: string,
  { signal }: WatchOptions = {},
): AsyncGenerator<Entity | undefined, void, undefined> {
  // The offset is read before the entity, so that no change in between is missed.
  const follower = await withMessage(
    async () => new Follower(world, { since: 'now', types: [type], entities: true, signal }),
  )
  await follower.start()
  let entity: Entity | undefined = await withMessage(() => get(world, type, id, { signal })).catch(absent)
  yield entity
  // Worlds store ids in NFC, so the comparison uses that form.
  const stored = id.normalize()
  for await (const change of follower.changes()) {
    if (change.id !== stored) continue
    const before = entity?.revision
    entity = change.op === 'put' ? change.entity : undefined
    if (entity?.revision !== before) yield entity
  }
}

/** Returns undefined for the error of an entity that does not exist. Throws any other. */
function absent(error: unknown): undefined {
  if (!isWorldError(error) || error.code !== 'entity_not_found') throw error
}
