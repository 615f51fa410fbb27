/** Layer of precedence: whether files or the API win if they disagree. Engines do the work, inside their imports. */
import type { CallOptions, Owned, Store } from './contract.ts'

/**
 * Returns the owned entities of a store: see `Precedence`. `limit`: maximum number of shadowed entities. An engine without
 * precedence has none: its files always win.
 */
export async function ownedIn(
  store: Pick<Store, 'owned'>,
  options: CallOptions & { readonly limit: number },
): Promise<Owned> {
  return (await store.owned?.(options)) ?? { types: new Map(), shadowed: [] }
}
