/** A store that is only read. */
import { StorageFault, type Store } from './contract.ts'

/** The same store; what would write to it fails with `read_only`. */
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
