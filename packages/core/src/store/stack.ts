/** Layers above a store: one list, in a fixed order, whichever process composes them. */
import type { MaybePromise, Store } from './contract.ts'

/** A decorator of a store, which adds a capability. */
export type Layer = (store: Store) => MaybePromise<Store>

/**
 * The layers from the engine up. Each sees the writes and searches of those above it.
 *
 * - `types` infers type descriptions from every write: the innermost, so that no write of any process bypasses it.
 * - `writes` batches writes into one commit or, in a worker, forwards them and the searches to the primary.
 * - `search` answers searches in a separate process.
 * - `repair` starts an index rebuild once a search, in any process, finds the index damaged.
 * - `meaning` re-ranks the first hits of the index by meaning.
 * - `cluster` answers searches from OpenSearch instead of the index of the store.
 * - `metrics` counts and times the calls to all of the above.
 * - `damage` records damaged entities: the outermost, so that it sees what clients see.
 *
 * Tokens, index rules, leases and precedence are not decorators: they are named values and capabilities, and work over the
 * whole stack (`createTokens`, `indexRules`, `Store.lease`, `ownedIn`).
 */
export const LAYERS = [
  'types',
  'writes',
  'search',
  'repair',
  'meaning',
  'cluster',
  'metrics',
  'damage',
] as const

/** Layers by name; absent ones are left out. */
export type Layers = { readonly [Name in (typeof LAYERS)[number]]?: Layer | undefined }

/** Stacks layers on a store, in the order of `LAYERS`, whatever order they are given in. */
export async function stack(engine: Store, layers: Layers): Promise<Store> {
  let store = engine
  for (const name of LAYERS) store = (await layers[name]?.(store)) ?? store
  return store
}
