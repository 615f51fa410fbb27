/** What was read lately, so that going back shows it at once. */

/** A map that forgets what was used longest ago beyond `most` entries. */
export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
}

/** Makes a memory of `most` entries. */
export function createMemory<T>(most: number): Memory<T> {
  const entries = new Map<string, T>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next().value
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
  }
}
