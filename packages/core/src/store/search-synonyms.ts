/** Synonyms that an operator configures, as a store keeps them: they expand queries, and do not affect the index. */
import type { CallOptions, Store, SynonymRule } from './contract.ts'
import { namedValue } from './values.ts'

/** Name of the value that holds them. */
export const SYNONYMS_KEY = 'search-synonyms'

/** Canonical form: equal rules give equal strings; undefined if there are none. */
export function textOfSynonyms(rules: readonly SynonymRule[]): string | undefined {
  return rules.length > 0 ? JSON.stringify(rules.map(({ from, to }) => ({ from, to }))) : undefined
}

/**
 * Replaces the synonym rules, durably, from the next query on. Setting the same rules again is not a write, and other rules
 * rebuild no index.
 */
export async function setSearchSynonyms(
  storage: Pick<Store, 'write'>,
  rules: readonly SynonymRule[],
  options?: CallOptions,
): Promise<void> {
  await storage.write([], { ...options, values: { [SYNONYMS_KEY]: textOfSynonyms(rules) } })
}

/** Returns the current synonym rules; none if none were set. A replica needs them to give the same search results. */
export async function searchSynonyms(
  storage: Pick<Store, 'values'>,
  options?: CallOptions,
): Promise<readonly SynonymRule[]> {
  return synonymsOfText((await namedValue(storage, SYNONYMS_KEY, options))?.value)
}

/** Parses rules from their text form. */
export function synonymsOfText(text: string | undefined): readonly SynonymRule[] {
  return text === undefined ? [] : JSON.parse(text)
}
