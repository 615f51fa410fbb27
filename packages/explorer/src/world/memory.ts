/** Cache of recently read data, which is shown immediately when the user goes back. */
import { signal } from '@preact/signals'

/** An LRU cache with string keys. */
export type Memory<T> = Readonly<ReturnType<typeof createMemory<T>>>

/** Counts changes to the tokens and member names of worlds. A change empties all caches, and the world is rendered again. */
export const entrances = signal(0)

/** Creates a cache of at most `most` entries with LRU eviction. */
export function createMemory<T>(most: number) {
  const entries = new Map<string, T>()
  let since = entrances.peek()
  const refresh = () => {
    if (since !== entrances.peek()) entries.clear()
    since = entrances.peek()
  }
  return {
    get(key: string): T | undefined {
      refresh()
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: T): void {
      refresh()
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next().value
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key: string) => void entries.delete(key),
  }
}
