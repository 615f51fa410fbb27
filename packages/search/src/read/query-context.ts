/** Context in which a query is answered. */
import type { DocumentTerm } from '../port/document.ts'
import { Synonyms } from '../text/synonyms.ts'
import type { QueryPlan } from './query-plan.ts'
import type { Superlative } from './reading.ts'

/** Data that is known to the document store but not to the index. */
export interface QueryContext {
  /** Terms of the document named by `similar`, in descending order of impact, with ties in byte order. */
  readonly terms: readonly DocumentTerm[]
  readonly synonyms: Synonyms
  /** A superlative of the text, if it has been looked up. */
  readonly superlative?: Superlative | undefined
}

/** Context of a search for words, and the plan of an earlier search for the same text. */
export interface SearchContext extends Pick<QueryContext, 'synonyms' | 'superlative'> {
  readonly plan?: QueryPlan | undefined
}

/** Empty context, with no terms and no synonyms. */
export const NO_CONTEXT: QueryContext = { terms: [], synonyms: new Synonyms([]) }
