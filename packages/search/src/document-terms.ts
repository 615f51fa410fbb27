/** What a document is about: its terms, for finding others like it. */
import { DocumentAnalyser } from './document-analyser.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { isBeginning } from './text/beginnings.ts'

/** Terms of one document that are looked up in the index: what a very long text says beyond them is not what it is about. */
const MAX_TERMS = 500

/** The terms with the greatest impacts in a document, as indexes keep them; of equal ones the first by their bytes. */
export function documentTerms(document: DocumentKey & DocumentText): DocumentTerm[] {
  const terms = new DocumentAnalyser().analyse(document).terms.filter(({ term }) => !isBeginning(term))
  terms.sort(
    (left, right) =>
      right.impact - left.impact || Buffer.compare(Buffer.from(left.term), Buffer.from(right.term)),
  )
  return terms.slice(0, MAX_TERMS)
}
