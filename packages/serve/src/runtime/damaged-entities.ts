/** Tracks damaged entities of a store. Each is logged once and reported to operators until it is repaired. */
import { damagedEntity, type EntityKey, type Store, StoreFault } from '@worldwright/core/store'
import type { Log } from '../log/log.ts'

/** Maximum number of entities listed, enough to show that a backup must be restored. */
const MOST = 100

/** Returns a function that logs an entity as damaged. */
export function damageReport(log: Log): (key: EntityKey) => void {
  return (key) => log.report('error', damagedEntity(key).message, { event: 'damaged', ...key })
}

/** List of damaged entities. Each process has one, and the primary's list covers all processes. */
export class DamagedEntities {
  readonly #found = new Map<string, EntityKey>()
  readonly #say: (key: EntityKey) => void

  /** @param say called once for each damaged entity */
  constructor(say: (key: EntityKey) => void) {
    this.#say = say
  }

  /** Adds an entity that this or another process found to be damaged. */
  note({ type, id }: EntityKey): void {
    const key = JSON.stringify([type, id])
    if (this.#found.has(key) || this.#found.size === MOST) return
    this.#found.set(key, { type, id })
    this.#say({ type, id })
  }

  /** Wraps a store so that damaged entities found by reads are added to the list. */
  watch(store: Store): Store {
    const noting = async <T>(work: () => T | Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof StoreFault && error.entity) this.note(error.entity)
        throw error
      }
    }
    return {
      ...store,
      get: (type, id, options) => noting(() => store.get(type, id, options)),
      changes: (options) => noting(() => store.changes(options)),
      list: async (type, options) => {
        const page = await store.list(type, options)
        for (const id of page.damaged ?? []) this.note({ type, id })
        return page
      },
      find: async (query) => {
        const found = await store.find(query)
        for (const key of found.damaged ?? []) this.note(key)
        return found
      },
    }
  }

  /** Checks the listed entities again and returns those that are still damaged. */
  async list(store: Pick<Store, 'get'>): Promise<readonly EntityKey[]> {
    for (const [key, { type, id }] of this.#found) {
      const isWell = await Promise.resolve()
        .then(() => store.get(type, id))
        .then(
          () => true,
          () => false,
        )
      if (isWell) this.#found.delete(key)
    }
    return [...this.#found.values()]
  }
}
