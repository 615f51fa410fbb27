import { type Store, StoreFault } from '@worldwright/core/store'

/** Wraps a store so that writes, imports and replication fail with `read_only`. Omits `lease`. */
export function readOnly({ lease: _, ...store }: Store): Store {
  const refuse = () => {
    throw new StoreFault('read_only', 'The store was opened for reading alone.')
  }
  return {
    ...store,
    write: refuse,
    bulk: refuse,
    follow: refuse,
  }
}
