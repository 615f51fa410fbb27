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

/** How an entity is watched. */
export type WatchOptions = Pick<CallOptions, 'signal'>

/**
 * Everything that has changed since `since`, and then what changes, as it happens, until the loop is left or the signal
 * aborts. From the beginning, that is every entity there is and every deletion that is still known. Each change comes
 * once: after a cut connection or a restart of the world it goes on where it was. Until the first answer it fails as any
 * safe call does; after that, a world that does not answer is asked again, with pauses of up to 30 seconds.
 * `unsupported_extension` where the world does not declare the extension; `changes_expired` where deletions since
 * `since` may be forgotten, or the world was restored: start again without `since`.
 */
export async function* changes(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).changes())
}

/**
 * One page of the log from `since` on, 1,000 changes at most, for programs that keep the place by themselves. It fails as
 * any safe call does, and as `changes`.
 */
export async function changesPage(world: WorldData, options: PageOptions = {}): Promise<ChangesPage> {
  return withMessage(async () => new Follower(world, options).read())
}

/**
 * The positions of a world's history after `since`, as it announces them; undefined as a heartbeat. Ends when the world
 * ends the stream. It fails as any safe call does, and with `timeout` if the stream stays silent; it is not retried.
 */
export async function* positions(
  world: WorldData,
  options: ChangesOptions = {},
): AsyncGenerator<string | undefined, void, undefined> {
  yield* await withMessage(async () => new Follower(world, options).positions())
}

/**
 * The end of the log as it is now, as a `since` for the same `types`: what happens after this call comes from there on. It
 * fails as any safe call does.
 */
export async function latest(
  world: WorldData,
  { types, signal }: Pick<ChangesOptions, 'types' | 'signal'> = {},
): Promise<string> {
  return withMessage(async () => new Follower(world, { since: 'now', types, signal }).start())
}

/**
 * An entity as it stands, and again whenever it has changed; undefined while there is none. It fails as `changes` does.
 */
export async function* watch(
  world: WorldData,
  type: string,
  id: string,
  { signal }: WatchOptions = {},
): AsyncGenerator<Entity | undefined, void, undefined> {
  // First a place in the log, then the entity: what happens between the two is not missed.
  const follower = await withMessage(
    async () => new Follower(world, { since: 'now', types: [type], entities: true, signal }),
  )
  await follower.start()
  let entity = await withMessage(() => getIfPresent(world, type, id, { signal }))
  yield entity
  // Ids are compared as worlds keep them.
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
