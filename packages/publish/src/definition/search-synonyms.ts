import type { SynonymRule } from '@worldwright/core/store'

/** Search settings in a definition, with synonyms for words in queries. */
export interface SearchDefinition {
  /** Entries, each a one-way rule or a list of words or phrases that match one another. */
  readonly synonyms?: readonly (readonly string[] | SynonymRule)[]
}

/** Returns a definition's synonym rules, in order, in the form that `setSearchSynonyms` takes. */
export function synonymRules({ search }: { readonly search?: SearchDefinition }): SynonymRule[] {
  return (search?.synonyms ?? []).map((entry) => ('from' in entry ? entry : { from: entry, to: entry }))
}
