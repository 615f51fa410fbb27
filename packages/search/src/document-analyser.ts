/** Converts a document to everything that an index holds of its text, as plain data: for indexes that are kept elsewhere. */
import { MAX_KEY_BYTES } from './format/table.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { NAME_KEY_BYTES, writeNameKey } from './text/names.ts'
import { Analyser } from './write/analyser.ts'

/** Contents of an index for the text of one document. */
export interface AnalysedDocument {
  /** Distinct terms, in any order. */
  readonly terms: readonly DocumentTerm[]
  /** Distinct words as written whose terms differ from them, and keys of long words by their endings. */
  readonly spellings: readonly string[]
  /** Names as `nameTerm` returns them, each with its `NameKind`; of a name that occurs twice, the last one counts. */
  readonly names: readonly (readonly [name: string, kind: number])[]
}

/** Analyses documents, one after the other. It remembers every word it has met: use a new one after some thousands of them. */
export class DocumentAnalyser {
  readonly #analyser = new Analyser()
  readonly #bytes = Buffer.alloc(MAX_KEY_BYTES)

  /** Returns everything that an index holds of a document's text, whatever was analysed before. */
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
