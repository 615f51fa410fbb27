/** Test store whose methods are all asynchronous, like those of an engine reached over a network. */
import { setImmediate as turn } from 'node:timers/promises'
import type { CallOptions, Store } from './contract.ts'
import { beginToFollow } from './followed.ts'

/** Wraps a store so that every method returns a promise that resolves in a later turn of the event loop. */
export function behindPromises(store: Store): Store {
  return {
    ...delayed(store),
    watch: (signal) => store.watch(signal),
    ...(store.follow && {
      async follow(options?: CallOptions) {
        await turn()
        return delayed(await beginToFollow(store, options))
      },
    }),
    async bulk(options) {
      await turn()
      return delayed(await store.bulk(options))
    },
    async snapshot(options) {
      await turn()
      const snapshot = await store.snapshot(options)
      return {
        async *entities(type) {
          yield* snapshot.entities(type)
        },
        close: () => snapshot.close(),
      }
    },
  }
}

function delayed<T extends object>(methods: T): T {
  const later =
    (method: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      await turn()
      return method(...args)
    }
  const members = Object.entries(methods).map(([name, member]) => [
    name,
    typeof member === 'function' ? later(member) : member,
  ])
  return Object.fromEntries(members)
}
