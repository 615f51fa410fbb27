/** Context in which a query is answered. */
import type { DocumentTerm } from '../port/document.ts'
import { Synonyms } from '../text/synonyms.ts'

/** Data that the store of the documents has and the index does not. */
export interface QueryContext {
  /** Terms of the document that `similar` names: greatest impact first, ties by their bytes. */
  readonly terms: readonly DocumentTerm[]
  readonly synonyms: Synonyms
}

/** Empty context: no terms, no synonyms. */
export const NO_CONTEXT: QueryContext = { terms: [], synonyms: new Synonyms([]) }
