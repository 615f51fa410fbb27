/** What a document is about: its terms, for finding others like it. */
import { MAX_KEY_BYTES } from './format/table.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { isBeginning } from './text/beginnings.ts'
import { Analyser } from './write/analyser.ts'

/** Terms of one document that are looked up in the index: what a very long text says beyond them is not what it is about. */
const MAX_TERMS = 500

/** The terms with the greatest impacts in a document, as indexes keep them; of equal ones the first by their bytes. */
export function documentTerms(document: DocumentKey & DocumentText): DocumentTerm[] {
  const analyser = new Analyser()
  analyser.analyse(document)
  const bytes = Buffer.alloc(MAX_KEY_BYTES)
  const words = Array.from(analyser.terms.subarray(0, analyser.termCount), (term) => ({
    term: bytes.toString('utf8', 0, analyser.words.copy(term, bytes)),
    impact: analyser.impact(term),
  }))
  const terms = words.filter(({ term }) => !isBeginning(term))
  terms.sort(
    (left, right) =>
      right.impact - left.impact || Buffer.compare(Buffer.from(left.term), Buffer.from(right.term)),
  )
  return terms.slice(0, MAX_TERMS)
}
