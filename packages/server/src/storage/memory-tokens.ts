/** The tokens of the memory engine. */

import { compareUtf8 } from './compare-utf8.ts'
import type { StoredToken, TokenStore } from './contract.ts'

/** Creates an empty store of tokens. */
export function createMemoryTokens(): TokenStore {
  const tokens = new Map<string, StoredToken>()
  return {
    get: (id) => tokens.get(id),
    list: () => [...tokens.values()].sort((left, right) => compareUtf8(left.id, right.id)),
    put(id, value) {
      tokens.set(id, { id, value })
    },
    remove: (id) => tokens.delete(id),
    noteUse(id, at) {
      const token = tokens.get(id)
      if (token) tokens.set(id, { ...token, lastUsed: at })
    },
  }
}
