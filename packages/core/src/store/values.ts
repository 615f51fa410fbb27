/** Named values of a store: one of them, and those that stand beside the content. */
import type { CallOptions, NamedValue, Store } from './contract.ts'

/** Names that begin with this stand beside the content: to write them moves no version and empties no cache. */
const BESIDE = '~'

/** Tells whether the value of a name stands beside the content. */
export function isBeside(name: string): boolean {
  return name.startsWith(BESIDE)
}

/** The value of one name, or undefined if there is none. */
export async function namedValue(
  store: Pick<Store, 'values'>,
  name: string,
  options?: CallOptions,
): Promise<NamedValue | undefined> {
  return (await store.values(name, options)).get(name)
}
