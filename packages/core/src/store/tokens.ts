/** The layer of tokens: named values beside the content, so that every process sees a change with its next call. */
import type { CallOptions, Store } from './contract.ts'
import { namedValue } from './values.ts'

/** A token as it is kept: the store does not know what it means. */
export interface StoredToken {
  readonly id: string
  /** A digest that its maker keeps of it, never the secret. */
  readonly value: string
  /** The last use, as it was noted. Absent: never. */
  readonly lastUsed?: string
}

const TOKEN = '~token:'
/** Notes of use are values of their own: to note one never brings back a token that has just been removed. */
const USE = '~token-use:'

type Values = Pick<Store, 'values' | 'write'>

/** The tokens of a store. */
export type Tokens = ReturnType<typeof createTokens>

/** Creates the layer over a store. */
export function createTokens(store: Values) {
  return {
    /** The token, or undefined if there is none of this id. */
    async get(id: string, options?: CallOptions): Promise<StoredToken | undefined> {
      const kept = await namedValue(store, TOKEN + id, options)
      return kept && { id, value: kept.value }
    },

    /** All tokens with their last uses, ascending by id. */
    async list(options?: CallOptions): Promise<StoredToken[]> {
      const [tokens, uses] = [await store.values(TOKEN, options), await store.values(USE, options)]
      return [...tokens].map(([name, { value }]) => {
        const id = name.slice(TOKEN.length)
        const lastUsed = uses.get(USE + id)?.value
        return { id, value, ...(lastUsed !== undefined && { lastUsed }) }
      })
    },

    /** Keeps a token, durably, instead of one of the same id. */
    async put(id: string, value: string, options?: CallOptions): Promise<void> {
      await store.write([], { ...options, values: { [TOKEN + id]: value, [USE + id]: undefined } })
    },

    /** Removes a token, durably. False if there is none of this id. */
    async remove(id: string, options?: CallOptions): Promise<boolean> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return false
      const values = { [TOKEN + id]: undefined, [USE + id]: undefined }
      const result = await store.write([], { ...options, values, ifValues: { [TOKEN + id]: kept.value } })
      // Somebody else has removed it, or put another one.
      return result.done || this.remove(id, options)
    },

    /** Notes when a token was used last. Nothing happens if there is none of this id. */
    async noteUse(id: string, at: string, options?: CallOptions): Promise<void> {
      const kept = await namedValue(store, TOKEN + id, options)
      if (!kept) return
      const ifValues = { [TOKEN + id]: kept.value }
      await store.write([], { ...options, values: { [USE + id]: at }, ifValues })
    },
  }
}
