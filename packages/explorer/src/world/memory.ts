/** Cache of recently read data, which is shown immediately when the user goes back. */

/** An LRU cache with string keys. */
export type Memory<T> = Readonly<ReturnType<typeof createMemory<T>>>

/** Creates a cache of at most `most` entries with LRU eviction. */
export function createMemory<T>(most: number) {
  const entries = new Map<string, T>()
  return {
    get(key: string): T | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: T): void {
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next().value
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key: string) => void entries.delete(key),
  }
}
