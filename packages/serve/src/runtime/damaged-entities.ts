/** Entities of a store found damaged: each is logged once, and shown to operators until it is intact again. */
import type { Store } from '@worldwright/core/store'
import { damagedEntity, type EntityKey, StorageFault } from '@worldwright/core/store'
import type { Log } from '../log/log.ts'

/** Maximum entities in the list: a hundred suffice to see that a backup is needed. */
const MOST = 100

/** Returns a function that logs an entity as damaged. */
export function damageReport(log: Log): (key: EntityKey) => void {
  return (key) => log.report('error', damagedEntity(key).message, { event: 'damaged', ...key })
}

/** Owns the list of a process; the primary's list covers all processes. */
export class DamagedEntities {
  readonly #found = new Map<string, EntityKey>()
  readonly #say: (key: EntityKey) => void

  /** `say` is called once for each entity. */
  constructor(say: (key: EntityKey) => void) {
    this.#say = say
  }

  /** Notes an entity that was found damaged, here or in another process. */
  note({ type, id }: EntityKey): void {
    const key = JSON.stringify([type, id])
    if (this.#found.has(key) || this.#found.size === MOST) return
    this.#found.set(key, { type, id })
    this.#say({ type, id })
  }

  /** Returns the store, which from now on notes each damaged entity that it meets. */
  watch(storage: Store): Store {
    const noting = async <T>(work: () => T | Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof StorageFault && error.entity) this.note(error.entity)
        throw error
      }
    }
    return {
      ...storage,
      get: (type, id, options) => noting(() => storage.get(type, id, options)),
      changes: (options) => noting(() => storage.changes(options)),
      list: async (type, options) => {
        const page = await storage.list(type, options)
        for (const id of page.damaged ?? []) this.note({ type, id })
        return page
      },
      find: async (query) => {
        const found = await storage.find(query)
        for (const key of found.damaged ?? []) this.note(key)
        return found
      },
    }
  }

  /** Returns the entities that are still damaged, after another look; at most a hundred. */
  async list(storage: Pick<Store, 'get'>): Promise<readonly EntityKey[]> {
    for (const [key, { type, id }] of this.#found) {
      const isWell = await Promise.resolve()
        .then(() => storage.get(type, id))
        .then(
          () => true,
          () => false,
        )
      if (isWell) this.#found.delete(key)
    }
    return [...this.#found.values()]
  }
}
