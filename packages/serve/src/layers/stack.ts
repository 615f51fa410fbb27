/** Store layers, which are stacked in the same order in every process. */
import type { MaybePromise, Store } from '@worldwright/core/store'

/** Store decorator that adds a capability. */
export type Layer = (store: Store) => MaybePromise<Store>

/**
 * Layers in order from the engine up. Every layer receives its calls from the layer above it.
 *
 * - `types` infers type descriptions from every write. Innermost, so that no write of any process bypasses it.
 * - `writes` batches writes into one commit or, in a worker, forwards them and the searches to the primary.
 * - `search` answers searches in a separate process.
 * - `repair` starts an index rebuild if a search, in any process, finds the index damaged.
 * - `meaning` re-ranks the first hits of the index by meaning.
 * - `cluster` answers searches from OpenSearch instead of the index of the store.
 * - `metrics` counts and times the calls to all layers below it.
 * - `spans` traces the calls to all layers below it.
 * - `damage` records damaged entities. Outermost, so that it sees what clients see.
 *
 * Tokens, index rules, leases and precedence are not layers but named values and capabilities, used on top of the whole
 * stack (`Store.values`, `indexRules`, `Store.lease`, `ownedIn`).
 */
export const LAYERS = [
  'types',
  'writes',
  'search',
  'repair',
  'meaning',
  'cluster',
  'metrics',
  'spans',
  'damage',
] as const

/** Layers by name. Absent layers are skipped. */
export type Layers = { readonly [Name in (typeof LAYERS)[number]]?: Layer | undefined }

/** Stacks layers on a store in the order of `LAYERS`, regardless of the order in which they are given. */
export async function stack(engine: Store, layers: Layers): Promise<Store> {
  let store = engine
  for (const name of LAYERS) store = (await layers[name]?.(store)) ?? store
  return store
}
