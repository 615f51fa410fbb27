/** How far a store has come. */
import type { CallOptions, Position, Store } from './contract.ts'
import { epochOf, hasReached, reachOf } from './history.ts'

/** The position of the last write that changed an entity. */
export async function positionNow(
  store: Pick<Store, 'changes'>,
  { signal }: CallOptions = {},
): Promise<Position> {
  return (await store.changes({ limit: 0, signal })).position
}

/** Whether a store has come as far as a position of its own history; undefined if the position is of another one, or none. */
export async function isReached(
  store: Pick<Store, 'changes'>,
  position: Position,
  options?: CallOptions,
): Promise<boolean | undefined> {
  const now = await positionNow(store, options)
  const reach = reachOf(epochOf(now), now)
  return reach && hasReached(reach, position)
}
