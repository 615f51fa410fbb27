/** Precedence between files and the API when they disagree. Engines implement it in their imports. */
import type { CallOptions, Owned, Store } from './contract.ts'

/**
 * Returns the owned entities of a store (see `Precedence`), with up to `limit` shadowed ones. An engine without precedence
 * has no owned entities, because its files always win.
 */
export async function ownedIn(
  store: Pick<Store, 'owned'>,
  options: CallOptions & { readonly limit: number },
): Promise<Owned> {
  return (await store.owned?.(options)) ?? { types: new Map(), shadowed: [] }
}
