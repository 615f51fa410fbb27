/** Comparison of positions with the state of a store. */
import type { CallOptions, Position, Store } from './contract.ts'
import { epochOf, hasReached, reachOf } from './history.ts'

/** Returns the position of the last write that changed an entity. */
export async function positionNow(
  store: Pick<Store, 'changes'>,
  { signal }: CallOptions = {},
): Promise<Position> {
  return (await store.changes({ limit: 0, signal })).position
}

/** Returns whether a store has reached a position, or undefined if the position is malformed or of another history. */
export async function isReached(
  store: Pick<Store, 'changes'>,
  position: Position,
  options?: CallOptions,
): Promise<boolean | undefined> {
  const now = await positionNow(store, options)
  const reach = reachOf(epochOf(now), now)
  return reach && hasReached(reach, position)
}
