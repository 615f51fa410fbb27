import { DocumentAnalyser } from './document-analyser.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { isWord } from './text/type-terms.ts'

/** Maximum number of terms to look up per document. Further terms of a very long text are not characteristic of it. */
const MAX_TERMS = 500

/** Returns up to `MAX_TERMS` characteristic terms of a document in descending order of impact, then in byte order. */
export function documentTerms(document: DocumentKey & DocumentText): DocumentTerm[] {
  const terms = new DocumentAnalyser().analyse(document).terms.filter(({ term }) => isWord(term))
  terms.sort(
    (left, right) =>
      right.impact - left.impact || Buffer.compare(Buffer.from(left.term), Buffer.from(right.term)),
  )
  return terms.slice(0, MAX_TERMS)
}
