/** Read-only access to a store. */
import { StorageFault, type Store } from './contract.ts'

/** Wraps a store so that writes to it fail with `read_only`. */
export function readOnly({ lease: _, ...storage }: Store): Store {
  const refuse = () => {
    throw new StorageFault('read_only', 'The store was opened for reading alone.')
  }
  return {
    ...storage,
    write: refuse,
    bulk: refuse,
    follow: refuse,
  }
}
