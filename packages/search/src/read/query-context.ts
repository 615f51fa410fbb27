/** Context in which a query is answered. */
import type { DocumentTerm } from '../port/document.ts'
import { Synonyms } from '../text/synonyms.ts'

/** Data that is known to the document store but not to the index. */
export interface QueryContext {
  /** Terms of the document named by `similar`, in descending order of impact, with ties in byte order. */
  readonly terms: readonly DocumentTerm[]
  readonly synonyms: Synonyms
}

/** Empty context, with no terms and no synonyms. */
export const NO_CONTEXT: QueryContext = { terms: [], synonyms: new Synonyms([]) }
