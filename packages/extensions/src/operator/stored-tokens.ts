/** Tokens, stored as named values that are not content. Every process sees a change on its next call. */
import { type CallOptions, namedValue, type Store } from '@worldwright/core/store'

/** A stored token, whose value is opaque to the store. */
export interface StoredToken {
  readonly id: string
  /** Value stored by the issuer, such as a digest; never the secret itself. */
  readonly value: string
  /** Time of the last recorded use; absent if no use was recorded. */
  readonly lastUsed?: string
}

const TOKEN = '~token:'
/** Name prefix of last-use values. They are separate, so that recording a use cannot restore a token just removed. */
const USE = '~token-use:'

/** Creates the functions that read and change a store's tokens. */
export function createTokens(store: Pick<Store, 'values' | 'write'>) {
  return {
    /** Returns the token with this id, or undefined if there is none. */
    async get(id: string, options?: CallOptions): Promise<StoredToken | undefined> {
      const kept = await namedValue(store, TOKEN + id, options)
      return kept && { id, value: kept.value }
    },

    /** Returns all tokens with their last uses, ascending by id. */
    async list(options?: CallOptions): Promise<StoredToken[]> {
      const [tokens, uses] = [await store.values(TOKEN, options), await store.values(USE, options)]
      return [...tokens].map(([name, { value }]) => {
        const id = name.slice(TOKEN.length)
        const lastUsed = uses.get(USE + id)?.value
        return { id, value, ...(lastUsed !== undefined && { lastUsed }) }
      })
    },

    /** Durably stores a token, replacing any token with the same id. */
    async put(id: string, value: string, options?: CallOptions): Promise<void> {
      await store.write([], { ...options, values: { [TOKEN + id]: value, [USE + id]: undefined } })
    },

    /** Durably removes a token. Returns false if there is no token with this id. */
    async remove(id: string, options?: CallOptions): Promise<boolean> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return false
      const values = { [TOKEN + id]: undefined, [USE + id]: undefined }
      const result = await store.write([], { ...options, values, ifValues: { [TOKEN + id]: kept.value } })
      // If this fails, another process has removed or replaced the token: try again.
      return result.done || this.remove(id, options)
    },

    /** Records the last use of a token. Has no effect if there is no token with this id. */
    async noteUse(id: string, at: string, options?: CallOptions): Promise<void> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return
      const ifValues = { [TOKEN + id]: kept.value }
      await store.write([], { ...options, values: { [USE + id]: at }, ifValues })
    },
  }
}
