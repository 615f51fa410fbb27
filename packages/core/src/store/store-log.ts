/** The log of a store, for whatever follows it in this process. */
import { type ChangesOptions, StorageFault, type Store } from './contract.ts'

/** The log as `follow` takes it, until the signal aborts. `asked`: which changes, and how many at once. */
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
 * Begins a round at once, and another one whenever the store has moved since the last one began, until the signal
 * aborts or the store is closed. What is written during a round is not missed: another follows.
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
