/** The layers above a store: one list, in one order, whichever process composes them. */
import type { MaybePromise, Store } from './contract.ts'

/** A layer: the same store, which does something more. */
export type Layer = (store: Store) => MaybePromise<Store>

/**
 * The layers from the engine up. Each sees the writes and searches of those above it.
 *
 * - `types` infers what types look like from every write: the innermost, so that no write of any process passes it by.
 * - `writes` gathers writes into one commit, or, in a worker, hands them and the searches to the primary.
 * - `search` answers searches in a process of its own.
 * - `repair` has the index built again once a search, by whichever process, finds it damaged.
 * - `meaning` orders the first hits of the index by meaning.
 * - `cluster` answers from OpenSearch what the index of the store would.
 * - `metrics` counts and times what is asked of all of the above.
 * - `damage` notes damaged entities: the outermost, so that it sees what clients see.
 *
 * Tokens, index rules, leases and precedence decorate nothing: they are named values and capabilities, and work over the whole
 * stack (`createTokens`, `indexRules`, `Store.lease`, `ownedIn`).
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

/** Layers by name; those that are absent are left out. */
export type Layers = { readonly [Name in (typeof LAYERS)[number]]?: Layer | undefined }

/** Puts layers above a store, in the order of `LAYERS`, whatever order they come in. */
export async function stack(engine: Store, layers: Layers): Promise<Store> {
  let store = engine
  for (const name of LAYERS) store = (await layers[name]?.(store)) ?? store
  return store
}
