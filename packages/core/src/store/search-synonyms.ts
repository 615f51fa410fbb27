/** Synonyms, configured by the operator and kept in the store. They expand queries, and do not affect the index. */
import type { CallOptions, Store, SynonymRule } from './contract.ts'
import { namedValue } from './values.ts'

/** Name of the value that contains the synonyms. */
export const SYNONYMS_KEY = 'search-synonyms'

/** Returns the canonical form of rules: equal rules give equal strings. Returns undefined if there are no rules. */
export function textOfSynonyms(rules: readonly SynonymRule[]): string | undefined {
  return rules.length > 0
    ? JSON.stringify(rules.map(({ from, to, type, order }) => ({ from, to, type, order })))
    : undefined
}

/**
 * Replaces the synonym rules, durably and with effect from the next query. Never rebuilds the index. Setting the same rules
 * again is not a write.
 */
export async function setSearchSynonyms(
  store: Pick<Store, 'write'>,
  rules: readonly SynonymRule[],
  options?: CallOptions,
): Promise<void> {
  await store.write([], { ...options, values: { [SYNONYMS_KEY]: textOfSynonyms(rules) } })
}

/** Returns the current synonym rules, or an empty array if none are set. A replica needs them to return the same results. */
export async function searchSynonyms(
  store: Pick<Store, 'values'>,
  options?: CallOptions,
): Promise<readonly SynonymRule[]> {
  return synonymsOfText((await namedValue(store, SYNONYMS_KEY, options))?.value)
}

/** Parses rules from their text form. */
export function synonymsOfText(text: string | undefined): readonly SynonymRule[] {
  return text === undefined ? [] : JSON.parse(text)
}
