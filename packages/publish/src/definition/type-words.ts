/** Words of queries that name a type, and superlatives that stand for an order of its entities. */
import { isObject } from '@worldwright/client/protocol'
import type { SynonymRule } from '@worldwright/core/store'
import type { TypeDefinition } from '@worldwright/entities/types'
import { SUPERLATIVES } from '@worldwright/search/lexicon'
import { type SearchDefinition, synonymRules } from './search-synonyms.ts'

/** Returns a definition's synonym rules, then the rules for its types, in the form that `setSearchSynonyms` takes. */
export function searchRules(definition: {
  readonly search?: SearchDefinition
  readonly types?: readonly TypeDefinition[]
}): SynonymRule[] {
  const synonyms = synonymRules(definition)
  const { types = [] } = definition
  return [...synonyms, ...types.flatMap((type) => [nameRule(type, synonyms), ...orderRules(type)])]
}

/** Returns the rule for the words that name a type: its name without the prefix, its title, and their synonyms. */
function nameRule({ type, title }: TypeDefinition, synonyms: readonly SynonymRule[]): SynonymRule {
  const name = type.slice(type.indexOf(':') + 1).replace(/[^\p{L}\p{N}]+/gu, ' ')
  const names = new Set([name, title ?? name].map((text) => text.trim().toLowerCase()))
  const further = synonyms.filter(({ to }) => to.some((text) => names.has(text.trim().toLowerCase())))
  return { from: [...new Set([...names, ...further.flatMap(({ from }) => from)])], to: [], type }
}

/** Returns a rule for each superlative that a type declares, and for its opposite if the type does not declare that. */
function orderRules({ type, schema, display }: TypeDefinition): SynonymRule[] {
  const served = schema?.['x-display']
  const rank = display?.rank ?? (isObject(served) && isObject(served['rank']) ? served['rank'] : {})
  return SUPERLATIVES.flatMap(({ name, opposite, descending, words }) => {
    const property = rank[name] ?? rank[opposite]
    return typeof property === 'string' ? { from: words, to: [], type, order: { property, descending } } : []
  })
}
