/** A store that is only read. */
import { type Storage, StorageFault } from './contract.ts'

/** The same store; what would write to it fails with `read_only`. */
export function readOnly({ lease: _, ...storage }: Storage): Storage {
  const refuse = () => {
    throw new StorageFault('read_only', 'The store was opened for reading alone.')
  }
  return {
    ...storage,
    write: refuse,
    import: refuse,
    setIndexRules: refuse,
    follow: refuse,
    tokens: { ...storage.tokens, put: refuse, remove: refuse, noteUse: refuse },
  }
}
