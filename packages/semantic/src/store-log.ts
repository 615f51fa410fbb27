/** Adapter of a store's change log, for followers in the same process. */
import { type ChangesOptions, type Store, StoreFault } from '@worldwright/core/store'

/** Adapts the change log of a store for `follow`. `asked` selects types and page size; `signal` ends `live`. */
export function storeLog(
  store: Pick<Store, 'changes' | 'watch'>,
  asked: Omit<ChangesOptions, 'after'>,
  signal: AbortSignal,
) {
  return {
    read: (after: string | undefined) => store.changes({ ...asked, after }),
    async *live(): AsyncGenerator<undefined, void, undefined> {
      for await (const _ of store.watch(signal)) yield
    },
    isExpired: (error: unknown) =>
      error instanceof StoreFault && (error.code === 'expired' || error.code === 'invalid_offset'),
  }
}
