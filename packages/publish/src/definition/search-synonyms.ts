/** Words that mean the same, as a definition says. */
import type { SynonymRule } from '@worldwright/core/store'

/** How texts are read that a world is searched for. */
export interface SearchDefinition {
  /** A list, each of which finds the others, or a rule in one direction. */
  readonly synonyms?: readonly (readonly string[] | SynonymRule)[]
}

/** The rules of a definition in its order, as `setSearchSynonyms` takes them. */
export function synonymRules({ search }: { readonly search?: SearchDefinition }): SynonymRule[] {
  return (search?.synonyms ?? []).map((entry) => ('from' in entry ? entry : { from: entry, to: entry }))
}
