/** The tokens of the memory engine. */
import type { StoredToken, TokenStore } from './contract.ts'

/** Creates an empty store of tokens. */
export function createMemoryTokens(): TokenStore {
  const tokens = new Map<string, StoredToken>()
  return {
    get(id, { signal } = {}) {
      signal?.throwIfAborted()
      return tokens.get(id)
    },
    list({ signal } = {}) {
      signal?.throwIfAborted()
      return [...tokens.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
    },
    put(id, value, { signal } = {}) {
      signal?.throwIfAborted()
      tokens.set(id, { id, value })
    },
    remove(id, { signal } = {}) {
      signal?.throwIfAborted()
      return tokens.delete(id)
    },
    noteUse(id, at, { signal } = {}) {
      signal?.throwIfAborted()
      const token = tokens.get(id)
      if (token) tokens.set(id, { ...token, lastUsed: at })
    },
  }
}
