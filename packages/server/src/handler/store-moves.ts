/** Looking at a store again and again, as it moves. */
import type { Storage } from '../storage/contract.ts'

/**
 * Begins a round at once, and another one whenever the store has moved since the last one began, until the signal is
 * aborted or the store is closed. What is written during a round is not missed: another follows.
 */
export async function* storeMoves(
  storage: Pick<Storage, 'watch'>,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const moves = storage.watch(signal)[Symbol.asyncIterator]()
  for (let moved = moves.next(); ; moved = moves.next()) {
    yield
    if ((await moved).done) return
  }
}
