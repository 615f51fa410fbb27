/** Search synonyms, from a definition. */
import type { SynonymRule } from '@worldwright/core/store'

/** Search settings of a definition: the synonyms of query texts. */
export interface SearchDefinition {
  /** Each entry is a list of texts that find one another, or a one-way rule. */
  readonly synonyms?: readonly (readonly string[] | SynonymRule)[]
}

/** Returns the synonym rules of a definition, in its order, in the form that `setSearchSynonyms` takes. */
export function synonymRules({ search }: { readonly search?: SearchDefinition }): SynonymRule[] {
  return (search?.synonyms ?? []).map((entry) => ('from' in entry ? entry : { from: entry, to: entry }))
}
