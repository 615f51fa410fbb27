/** The log of a store, for followers in this process. */
import { type ChangesOptions, StorageFault, type Store } from './contract.ts'

/** Adapts the log of a store to `follow`, until the signal aborts. `asked`: the changes to read, and how many at once. */
export function storeLog(
  storage: Pick<Store, 'changes' | 'watch'>,
  asked: Omit<ChangesOptions, 'after'>,
  signal: AbortSignal,
) {
  return {
    read: (after: string | undefined) => storage.changes({ ...asked, after }),
    live: () => storeMoves(storage, signal),
    isExpired: (error: unknown) =>
      error instanceof StorageFault && (error.code === 'expired' || error.code === 'invalid_place'),
  }
}

/**
 * Yields at once, and again whenever the store has moved since the last round began, until the signal aborts or the store
 * is closed. A write during a round is not missed: another round follows.
 */
export async function* storeMoves(
  storage: Pick<Store, 'watch'>,
  signal: AbortSignal,
): AsyncGenerator<undefined, void, undefined> {
  const moves = storage.watch(signal)[Symbol.asyncIterator]()
  for (let moved = moves.next(); ; moved = moves.next()) {
    yield
    if ((await moved).done) return
  }
}
