/** A store that infers the types of its entities from every write. */
import { namedValue, ownedIn, StorageFault, type Store, type ValuesChange } from '@worldwright/core/store'
import { TYPES_KEY, TypeInference, widened } from './type-inference.ts'

/** Maximum attempts of a write while others change the descriptions. */
const ATTEMPTS = 100

/**
 * Returns the store, which then keeps a description of every type that is written, derived from the data. It holds for all
 * entities of the type, however many writes overlap. Apply it where the store is opened for writing, below the layer that
 * forwards writes from process to process.
 * @throws StorageFault `busy` if others keep changing the descriptions
 */
export function withTypeInference(storage: Store): Store {
  const keptTypes = async () => (await namedValue(storage, TYPES_KEY))?.value
  /** Descriptions after the last write, so that the next need not read them. The condition of each write detects stale ones. */
  let last: { readonly kept: string | undefined } | undefined
  return {
    ...storage,
    async write(operations, options = {}) {
      const inference = new TypeInference()
      for (const operation of operations) if ('put' in operation) inference.add(operation.put)
      if (inference.types().length === 0) return storage.write(operations, options)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { kept } = last ?? { kept: await keptTypes() }
        const next = widened(kept, inference)
        const result = await storage.write(operations, withTypes(options, kept, next))
        const isOutdated = 'failedValue' in result && result.failedValue === TYPES_KEY
        last = isOutdated ? undefined : { kept: result.done ? next : kept }
        if (!isOutdated) return result
      }
      throw new StorageFault('busy', 'The descriptions of types keep changing. Try again.')
    },
    async bulk(options) {
      const staged = await storage.bulk(options)
      const inference = new TypeInference()
      const protectedTypes = new Set<string>()
      return {
        ...staged,
        add(entities, options) {
          for (const { type } of options?.keep ?? []) protectedTypes.add(type)
          for (const entity of entities) inference.add(entity)
          return staged.add(entities, options)
        },
        async commit(options = {}) {
          if (options.dryRun) return staged.commit(options)
          for (let attempt = 1; ; attempt++) {
            const kept = await keptTypes()
            // If a replaced type keeps entities that were not staged, its description must still hold for them.
            const { types: owned } = await ownedIn(storage, { limit: 0 })
            const replaced = options.replace?.filter((type) => !protectedTypes.has(type) && !owned.has(type))
            const next = widened(kept, inference, new Set(replaced))
            try {
              return await staged.commit(withTypes(options, kept, next))
            } catch (error) {
              const isStale = error instanceof StorageFault && error.code === 'stale'
              // If the descriptions are the same, the caller's own condition failed.
              if (!isStale || attempt === ATTEMPTS || (await keptTypes()) === kept) throw error
            }
          }
        },
      }
    },
  }
}

/** Adds the descriptions to a write: stored if they differ, on condition that they are still as they were read. */
function withTypes<T extends ValuesChange>(
  options: T,
  kept: string | undefined,
  next: string | undefined,
): T {
  return {
    ...options,
    ifValues: { ...options.ifValues, [TYPES_KEY]: kept },
    ...(next !== kept && { values: { ...options.values, [TYPES_KEY]: next } }),
  }
}
