/** Words that an operator says mean the same, as a store keeps them: questions are read by them, the index knows nothing of it. */
import { type SynonymRule, Synonyms } from '../search/text/synonyms.ts'
import type { CallOptions, Storage } from './contract.ts'

export type { SynonymRule } from '../search/text/synonyms.ts'

/** The metadata that holds them. */
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
  storage: Pick<Storage, 'write'>,
  rules: readonly SynonymRule[],
  options?: CallOptions,
): Promise<void> {
  await storage.write([], { ...options, metadata: { [SYNONYMS_KEY]: textOfSynonyms(rules) } })
}

/** The rules that questions are read by now; none where none were set. A copy needs them to answer searches alike. */
export async function searchSynonyms(
  storage: Pick<Storage, 'metadata'>,
  options?: CallOptions,
): Promise<readonly SynonymRule[]> {
  return rulesOf((await storage.metadata(SYNONYMS_KEY, options))?.value)
}

/** For an engine: the synonyms for a question, made once for each text that `read` finds in the metadata. */
export function synonymsReader(read: () => string | undefined): () => Synonyms {
  let text: string | undefined
  let synonyms = new Synonyms([])
  return () => {
    const now = read()
    if (now !== text) {
      synonyms = new Synonyms(rulesOf(now))
      text = now
    }
    return synonyms
  }
}

function rulesOf(text: string | undefined): readonly SynonymRule[] {
  return text === undefined ? [] : JSON.parse(text)
}
