/** Sources to index, and searches of them. */
import type { Query, Source, Store } from '@worldwright/core/store'

/** Returns the reading half of a store, without its search, and with some methods replaced. */
export function sourceOf(store: Store, replaced: Partial<Source> = {}): Source {
  const { get, list, types, version } = store
  return { get, list, types, version, ...replaced }
}

/** Searches a source for up to 10 hits by default. */
export async function found(source: Pick<Store, 'find'>, query: Partial<Query>) {
  return await source.find({ limit: 10, budgetMs: 60_000, ...query })
}
