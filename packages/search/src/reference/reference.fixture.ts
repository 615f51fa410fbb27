/** Naive implementation of the documented ranking. */
import type { SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import type { SynonymRule } from '../text/synonyms.ts'
import { type Dictionary, dictionaryOf, type Indexed } from './dictionary.fixture.ts'
import { analyse } from './plain-analysis.fixture.ts'
import { type Ranked, Ranking } from './plain-ranking.fixture.ts'

/** Naive searcher that examines documents one by one. */
export class Reference {
  readonly #documents = new Map<string, Indexed>()
  readonly #synonyms: readonly SynonymRule[]

  constructor(synonyms: readonly SynonymRule[] = []) {
    this.#synonyms = synonyms
  }

  put(document: SearchDocument): void {
    this.#documents.set(`${document.type} ${document.id}`, { document, ...analyse(document) })
  }

  delete(type: string, id: string): void {
    this.#documents.delete(`${type} ${id}`)
  }

  /** Ranks all documents. Builds their dictionary unless `words` is given. */
  search({ text = '', types, unfinished, limit }: Query, words = this.dictionary()): Ranked {
    return new Ranking(words, text, this.#synonyms, types).ranked(limit, unfinished)
  }

  /** Returns the dictionary of all documents. */
  dictionary(): Dictionary {
    return dictionaryOf(this.#documents.values())
  }
}
