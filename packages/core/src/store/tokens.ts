/** Layer of tokens: named values beside the content, so that every process sees a change on its next call. */
import type { CallOptions, Store } from './contract.ts'
import { namedValue } from './values.ts'

/** A stored token; the store does not know what it means. */
export interface StoredToken {
  readonly id: string
  /** Digest that its issuer keeps, never the secret. */
  readonly value: string
  /** Time of the last recorded use. Absent: never used. */
  readonly lastUsed?: string
}

const TOKEN = '~token:'
/** Uses are separate values: recording one never restores a token that has just been removed. */
const USE = '~token-use:'

type Values = Pick<Store, 'values' | 'write'>

/** The tokens of a store. */
export type Tokens = ReturnType<typeof createTokens>

/** Creates the layer over a store. */
export function createTokens(store: Values) {
  return {
    /** Returns the token, or undefined if there is none of this id. */
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

    /** Stores a token, durably, replacing one of the same id. */
    async put(id: string, value: string, options?: CallOptions): Promise<void> {
      await store.write([], { ...options, values: { [TOKEN + id]: value, [USE + id]: undefined } })
    },

    /** Removes a token, durably. Returns false if there is none of this id. */
    async remove(id: string, options?: CallOptions): Promise<boolean> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return false
      const values = { [TOKEN + id]: undefined, [USE + id]: undefined }
      const result = await store.write([], { ...options, values, ifValues: { [TOKEN + id]: kept.value } })
      // Another process has removed or replaced it.
      return result.done || this.remove(id, options)
    },

    /** Records the last use of a token. No effect if there is none of this id. */
    async noteUse(id: string, at: string, options?: CallOptions): Promise<void> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return
      const ifValues = { [TOKEN + id]: kept.value }
      await store.write([], { ...options, values: { [USE + id]: at }, ifValues })
    },
  }
}
