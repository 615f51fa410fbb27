/** Words that an operator says mean the same, as a store keeps them: questions are read by them, the index knows nothing of it. */
import type { CallOptions, Store, SynonymRule } from './contract.ts'
import { namedValue } from './values.ts'

/** Name of the value that holds them. */
export const SYNONYMS_KEY = 'search-synonyms'

/** Rules as a store keeps them: equal ones are equal texts; undefined if there are none. */
export function textOfSynonyms(rules: readonly SynonymRule[]): string | undefined {
  return rules.length > 0 ? JSON.stringify(rules.map(({ from, to }) => ({ from, to }))) : undefined
}

/**
 * Lets questions find what these rules say as well, from now on, durably, in place of the rules before. The same rules again are
 * no write, and others build no index.
 */
export async function setSearchSynonyms(
  storage: Pick<Store, 'write'>,
  rules: readonly SynonymRule[],
  options?: CallOptions,
): Promise<void> {
  await storage.write([], { ...options, values: { [SYNONYMS_KEY]: textOfSynonyms(rules) } })
}

/** The rules that questions are read by now; none where none were set. A copy needs them to answer searches alike. */
export async function searchSynonyms(
  storage: Pick<Store, 'values'>,
  options?: CallOptions,
): Promise<readonly SynonymRule[]> {
  return synonymsOfText((await namedValue(storage, SYNONYMS_KEY, options))?.value)
}

/** The rules that a text holds. */
export function synonymsOfText(text: string | undefined): readonly SynonymRule[] {
  return text === undefined ? [] : JSON.parse(text)
}
