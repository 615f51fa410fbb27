/** Named values of a store, and those beside its content. */
import type { CallOptions, NamedValue, Store } from './contract.ts'

/** Prefix of values beside the content: writing them changes no version and invalidates no cache. */
const BESIDE = '~'

/** Reports whether the value of a name is beside the content. */
export function isBeside(name: string): boolean {
  return name.startsWith(BESIDE)
}

/** Returns the value of one name, or undefined if there is none. */
export async function namedValue(
  store: Pick<Store, 'values'>,
  name: string,
  options?: CallOptions,
): Promise<NamedValue | undefined> {
  return (await store.values(name, options)).get(name)
}
