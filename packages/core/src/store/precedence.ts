/** The layer of precedence: who wins when files and the API disagree. Engines do the work, inside their imports. */
import type { CallOptions, Owned, Store } from './contract.ts'

/**
 * What others than files wrote of the types that files fill: see `Owner`. `limit`: of the shadowed entities. An engine without
 * precedence knows of none: files always win there.
 */
export async function ownedIn(
  store: Pick<Store, 'owned'>,
  options: CallOptions & { readonly limit: number },
): Promise<Owned> {
  return (await store.owned?.(options)) ?? { types: new Map(), shadowed: [] }
}
