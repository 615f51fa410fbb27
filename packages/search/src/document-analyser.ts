/** From a document to all that an index holds of its text, as plain data: for indexes that are kept elsewhere. */
import { MAX_KEY_BYTES } from './format/table.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { NAME_KEY_BYTES, writeNameKey } from './text/names.ts'
import { Analyser } from './write/analyser.ts'

/** What an index holds of the text of a document. */
export interface AnalysedDocument {
  /** Different ones, in any order. */
  readonly terms: readonly DocumentTerm[]
  /** Words as written whose terms are others, and keys of long words by their ends. Different ones. */
  readonly spellings: readonly string[]
  /** Its names as `nameTerm` gives them, each with its `NameKind`; of a name that occurs twice, the last one counts. */
  readonly names: readonly (readonly [name: string, kind: number])[]
}

/** Analyses documents, one after the other. It keeps every word it has met: use another one after some thousands of documents. */
export class DocumentAnalyser {
  readonly #analyser = new Analyser()
  readonly #bytes = Buffer.alloc(MAX_KEY_BYTES)

  /** All that an index holds of the text of a document: the same whatever was analysed before. */
  analyse(document: DocumentKey & DocumentText): AnalysedDocument {
    const analyser = this.#analyser
    analyser.analyse(document)
    const { hashes, kinds } = analyser.names
    return {
      terms: Array.from(analyser.terms.subarray(0, analyser.termCount), (term) => ({
        term: this.#word(term),
        impact: analyser.impact(term),
      })),
      spellings: Array.from(analyser.spellings.subarray(0, analyser.spellingCount), (word) =>
        this.#word(word),
      ),
      names: hashes.map((hash, at) => [this.#name(hash), kinds[at] as number]),
    }
  }

  #word(number: number): string {
    return this.#bytes.toString('utf8', 0, this.#analyser.words.copy(number, this.#bytes))
  }

  #name(hash: number): string {
    writeNameKey(hash, this.#bytes)
    return this.#bytes.toString('latin1', 0, NAME_KEY_BYTES)
  }
}
