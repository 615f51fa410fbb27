/** A store with asynchronous answers only, like an engine behind a network: for tests of code that uses a store. */
import { setImmediate as turn } from 'node:timers/promises'
import type { CallOptions, Store } from './contract.ts'
import { beginToFollow } from './followed.ts'

/** Wraps a store so that every answer is a promise that resolves in a later turn of the event loop. */
export function behindPromises(storage: Store): Store {
  return {
    ...delayed(storage),
    watch: (signal) => storage.watch(signal),
    ...(storage.follow && {
      async follow(options?: CallOptions) {
        await turn()
        return delayed(await beginToFollow(storage, options))
      },
    }),
    async bulk(options) {
      await turn()
      return delayed(await storage.bulk(options))
    },
    async snapshot(options) {
      await turn()
      const snapshot = await storage.snapshot(options)
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
