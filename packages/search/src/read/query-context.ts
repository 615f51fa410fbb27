/** What a query is answered by beside what it says. */
import type { DocumentTerm } from '../port/document.ts'
import { Synonyms } from '../text/synonyms.ts'

/** What the store of the documents knows, and the index does not. */
export interface QueryContext {
  /** Of the document that `similar` names: greatest impact first, equal ones by their bytes. */
  readonly terms: readonly DocumentTerm[]
  readonly synonyms: Synonyms
}

/** Where nothing is known: no terms, no synonyms. */
export const NO_CONTEXT: QueryContext = { terms: [], synonyms: new Synonyms([]) }
