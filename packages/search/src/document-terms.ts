/** Characteristic terms of a document, for finding similar ones. */
import { DocumentAnalyser } from './document-analyser.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { isBeginning } from './text/beginnings.ts'

/** Maximum terms of one document that are looked up in the index: terms beyond these do not characterize a very long text. */
const MAX_TERMS = 500

/** Returns the terms with the greatest impacts in a document, as indexes hold them; ties are broken by byte order. */
export function documentTerms(document: DocumentKey & DocumentText): DocumentTerm[] {
  const terms = new DocumentAnalyser().analyse(document).terms.filter(({ term }) => !isBeginning(term))
  terms.sort(
    (left, right) =>
      right.impact - left.impact || Buffer.compare(Buffer.from(left.term), Buffer.from(right.term)),
  )
  return terms.slice(0, MAX_TERMS)
}
