/** A store that learns what its entities look like, from every write. */
import type { Storage } from '../../storage/contract.ts'
import { derivedNotes, TypeDeriver } from './derive-types.ts'

/**
 * The store, which from now on keeps a description of every type that is written, derived from the data: it holds for
 * all entities of the type, however many write at once. It belongs where the store is opened for writing, below what
 * hands writes from process to process.
 */
export function describingTypes(storage: Storage): Storage {
  return {
    ...storage,
    write(operations, notes) {
      const deriver = new TypeDeriver()
      for (const operation of operations) if ('put' in operation) deriver.add(operation.put)
      return storage.write(operations, (store) => ({ ...derivedNotes(deriver)(store), ...notes?.(store) }))
    },
    async import() {
      const staged = await storage.import()
      const deriver = new TypeDeriver()
      return {
        ...staged,
        add(entities) {
          for (const entity of entities) deriver.add(entity)
          return staged.add(entities)
        },
        commit({ notes, ...options } = {}) {
          const derived = derivedNotes(deriver, new Set(options.replace))
          return staged.commit({ ...options, notes: (store) => ({ ...derived(store), ...notes?.(store) }) })
        },
      }
    },
  }
}
