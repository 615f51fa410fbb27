/**
 * `@worldwright/client/changes`: following a world that has the extension `worldwright:changes`. The methods `changes`
 * and `watch` of a world load this module when they are first used.
 */
import { get } from './calls.ts'
import type { Change, ChangesPage } from './change.ts'
import type { WorldData } from './discovery.ts'
import { isWorldError } from './error.ts'
import { type ChangesOptions, Follower, type PageOptions } from './follower.ts'
import { withMessage } from './messages.ts'
import type { Entity } from './protocol.ts'
import type { CallOptions } from './request.ts'

export type { Change, ChangesPage, Deletion, Put } from './change.ts'
export { type ChangesOptions, isExpired, type PageOptions, willPass } from './follower.ts'

/** Options of watching one entity. */
export type WatchOptions = Pick<CallOptions, 'signal'>

/**
 * Yields everything that has changed since `since`, then changes as they happen, until the loop is left or the signal
 * aborts. From the beginning, that is every entity and every remembered tombstone. Each change comes once: after a cut
 * connection or a restart of the world, the loop continues where it was. Before the first answer it fails as any safe call
 * does; after that, a world that does not answer is retried, with pauses of up to 30 seconds.
 * `unsupported_extension` if the world does not declare the extension; `changes_expired` if tombstones since `since` may be
 * forgotten, or the world was restored: start again without `since`.
 */
export async function* changes(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).changes())
}

/**
 * Returns one page of the log after `since`, at most 1,000 changes, for programs that keep the offset themselves. It fails
 * as any safe call does, and as `changes`.
 */
export async function changesPage(world: WorldData, options: PageOptions = {}): Promise<ChangesPage> {
  return withMessage(async () => new Follower(world, options).read())
}

/**
 * Yields the positions of a world's history after `since`, as the world announces them; undefined as a heartbeat. Ends when
 * the world ends the stream. Fails as any safe call does, and with `timeout` if the stream stays silent; it is not retried.
 */
export async function* positions(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<string | undefined, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).positions())
}

/**
 * Returns the current end of the log, as a `since` for the same `types`: later changes come after it. It fails as any safe
 * call does.
 */
export async function latest(
  world: WorldData,
  { types, signal }: Pick<ChangesOptions, 'types' | 'signal'> = {},
): Promise<string> {
  return withMessage(async () => new Follower(world, { since: 'now', types, signal }).start())
}

/**
 * Yields an entity as it is, and again whenever it has changed; undefined while there is none. It fails as `changes` does.
 */
export async function* watch(
  world: WorldData,
  type: string,
  id: string,
  { signal }: WatchOptions = {},
): AsyncGenerator<Entity | undefined, void, undefined> {
  // The offset is read before the entity, so that a change in between is not missed.
  const follower = await withMessage(
    async () => new Follower(world, { since: 'now', types: [type], entities: true, signal }),
  )
  await follower.start()
  let entity = await withMessage(() => getIfPresent(world, type, id, { signal }))
  yield entity
  // Ids are compared in the form in which worlds store them.
  const stored = id.normalize()
  for await (const change of follower.changes()) {
    if (change.id !== stored) continue
    const before = entity?.revision
    entity = change.op === 'put' ? change.entity : undefined
    if (entity?.revision !== before) yield entity
  }
}

async function getIfPresent(
  world: WorldData,
  type: string,
  id: string,
  options: CallOptions,
): Promise<Entity | undefined> {
  try {
    return await get(world, type, id, options)
  } catch (error) {
    if (isWorldError(error) && error.code === 'entity_not_found') return undefined
    throw error
  }
}
