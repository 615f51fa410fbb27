/** Wraps a store so that every write updates the inferred descriptions of types. */
import { namedValue, ownedIn, type Store, StoreFault, type ValuesChange } from '@worldwright/core/store'
import { TYPES_KEY, TypeInference, widened } from './type-inference.ts'

/** Maximum attempts per write if other writers keep changing the descriptions. */
const ATTEMPTS = 100

/**
 * Returns a store that also keeps an inferred description of every type written to it. A description covers all entities
 * of its type, even if writes overlap. Wrap the store where it is opened for writing, below the layer that forwards
 * writes between processes.
 * @throws StoreFault `busy` if other writers keep changing the descriptions
 */
export function withTypeInference(store: Store): Store {
  const keptTypes = async () => (await namedValue(store, TYPES_KEY))?.value
  /** Descriptions as of the last write. If they are stale, the condition of the next write fails. */
  let last: { readonly kept: string | undefined } | undefined
  return {
    ...store,
    async write(operations, options = {}) {
      const inference = new TypeInference()
      for (const operation of operations) if ('put' in operation) inference.add(operation.put)
      if (inference.types().length === 0) return store.write(operations, options)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { kept } = last ?? { kept: await keptTypes() }
        const next = widened(kept, inference)
        const result = await store.write(operations, withTypes(options, kept, next))
        const isOutdated = 'failedValue' in result && result.failedValue === TYPES_KEY
        last = isOutdated ? undefined : { kept: result.done ? next : kept }
        if (!isOutdated) return result
      }
      throw new StoreFault('busy', 'The descriptions of types keep changing. Try again.')
    },
    async bulk(options) {
      const staged = await store.bulk(options)
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
            // A replaced type may keep entities that were not staged, and its description must still cover them.
            const { types: owned } = await ownedIn(store, { limit: 0 })
            const replaced = options.replace?.filter((type) => !protectedTypes.has(type) && !owned.has(type))
            const next = widened(kept, inference, new Set(replaced))
            try {
              return await staged.commit(withTypes(options, kept, next))
            } catch (error) {
              const isStale = error instanceof StoreFault && error.code === 'stale'
              // If the descriptions have not changed, a condition of the caller failed instead.
              if (!isStale || attempt === ATTEMPTS || (await keptTypes()) === kept) throw error
            }
          }
        },
      }
    },
  }
}

/** Adds the descriptions in `next` to a write, on condition that the stored ones still equal `kept`. */
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
