import { MAX_KEY_BYTES } from './format/table.ts'
import type { DocumentText } from './port/document.ts'
import { Analyser } from './write/analyser.ts'

const EMPTY = { type: '', id: '', title: '', aliases: [], summary: '', text: '' }

/** Searches texts for terms. An instance caches every word it has seen, so use a new one for each response. */
export class TermFinder {
  readonly #terms: ReadonlySet<string>
  readonly #analyser = new Analyser()
  readonly #bytes = Buffer.alloc(MAX_KEY_BYTES)
  /** Cached results by word number: true if the word is one of the terms, undefined if it has not been tested yet. */
  readonly #isWanted: (boolean | undefined)[] = []

  /** Creates a finder. `terms` must be dictionary terms, such as the matched terms of a result. */
  constructor(terms: Iterable<string>) {
    this.#terms = new Set(terms)
  }

  /** Reports whether an index would find a document with this text by any of the terms. */
  isIn(text: Partial<DocumentText>): boolean {
    this.#analyser.analyse({ ...EMPTY, ...text })
    const { terms, termCount } = this.#analyser
    for (let at = 0; at < termCount; at++) if (this.#wants(terms[at] as number)) return true
    return false
  }

  #wants(word: number): boolean {
    const known = this.#isWanted[word]
    if (known !== undefined) return known
    const length = this.#analyser.words.copy(word, this.#bytes)
    const isWanted = this.#terms.has(this.#bytes.toString('utf8', 0, length))
    this.#isWanted[word] = isWanted
    return isWanted
  }
}
