/** Converts the text of a document to its index contents, as plain data for indexes that are stored elsewhere. */
import { MAX_KEY_BYTES } from './format/table.ts'
import type { DocumentKey, DocumentTerm, DocumentText } from './port/document.ts'
import { NAME_KEY_BYTES, writeNameKey } from './text/names.ts'
import { Analyser } from './write/analyser.ts'

/** Index contents for the text of one document. */
export interface AnalysedDocument {
  /** Distinct terms, in any order. */
  readonly terms: readonly DocumentTerm[]
  /** Distinct surface forms that differ from their terms, and suffix keys of long words. */
  readonly spellings: readonly string[]
  /** Names as returned by `nameTerm`, with their `NameKind`s. If a name occurs twice, the later kind wins. */
  readonly names: readonly (readonly [name: string, kind: number])[]
}

/** Analyses documents. An instance caches every word it has seen, so replace it after a few thousand documents. */
export class DocumentAnalyser {
  readonly #analyser = new Analyser()
  readonly #bytes = Buffer.alloc(MAX_KEY_BYTES)

  /** Returns the index contents for a document's text. The result does not depend on earlier calls. */
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
