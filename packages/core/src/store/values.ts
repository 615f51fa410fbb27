/** Named values of a store, including those that are not content. */
import type { CallOptions, NamedValue, Store } from './contract.ts'

/** Name prefix of values that are not content. Writing them changes no version and invalidates no cache. */
const BESIDE = '~'

/** Reports whether a named value is not content. */
export function isBeside(name: string): boolean {
  return name.startsWith(BESIDE)
}

/** Returns a named value, or undefined if there is none. */
export async function namedValue(
  store: Pick<Store, 'values'>,
  name: string,
  options?: CallOptions,
): Promise<NamedValue | undefined> {
  return (await store.values(name, options)).get(name)
}
