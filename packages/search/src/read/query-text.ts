/** The text of a query as words, and their expansions as clauses. A local index and a cluster search for the same ones. */

import type { Synonyms } from '../text/synonyms.ts'
import { TokenKind } from '../text/tokeniser.ts'
import {
  type Beginning,
  beginningOf,
  type Clause,
  clauseOf,
  type Expansions,
  exactExpansions,
  type QueryWord,
  queryWords,
  tellingAmong,
} from './clauses.ts'
import { type Topic, topicOf } from './cover.ts'
import type { NameWithin } from './names-within.ts'
import type { Superlative } from './reading.ts'
import { ALL_SCALE, SOME_SCALE } from './tiers.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Index and rules by which the words of a text expand. */
export interface QueryTextContext {
  readonly vocabulary: Vocabulary
  /** Number of live documents. */
  readonly documents: number
  readonly synonyms: Synonyms
  readonly superlative?: Superlative | undefined
}

/** Words of a query's text, which tell what is sought or only rank. */
export class QueryText {
  readonly text: string
  readonly words: readonly QueryWord[]
  /** Set if there are several words, all in spaced scripts. Documents with some or all words then compete by score. */
  readonly loose: boolean
  /** Set if one word tells what is sought. */
  readonly one: boolean
  /** Set if there are function words beside the words that tell what is sought. */
  readonly wordy: boolean
  readonly beginning: Beginning
  readonly #telling: readonly QueryWord[]
  readonly #context: QueryTextContext

  constructor(text: string, context: QueryTextContext) {
    this.text = text
    this.words = queryWords(text, context.synonyms, context.superlative)
    this.loose = this.words.length > 1 && this.words.every(({ token }) => token.kind !== TokenKind.gram)
    this.#telling = tellingAmong(this.words)
    this.one = this.#telling.length === 1
    this.wordy = this.#telling.length < this.words.length
    this.beginning = beginningOf(text, this.words.length, context.vocabulary)
    this.#context = context
  }

  /** Returns the expansions of each word as it stands. */
  exact(): Expansions {
    const { vocabulary, documents } = this.#context
    return this.words.map((word) => exactExpansions(word, this.beginning, vocabulary, documents))
  }

  /** Returns a clause for each word. */
  clauses(expansions: Expansions): Clause[] {
    return expansions.map((each) => this.#clauseOf(each, 1))
  }

  /** Returns a clause for each telling word, or undefined if there is none or one has no expansions. */
  tellingClauses(expansions: Expansions): Clause[] | undefined {
    const telling = expansions.filter((_, at) => this.#telling.includes(this.words[at] as QueryWord))
    if (telling.length === 0 || telling.some((each) => each.length === 0)) return undefined
    return telling.map((each) => this.#clauseOf(each, ALL_SCALE))
  }

  /** Returns the topic of the words and of the names in the text, for documents that hold all telling words or some. */
  topic(expansions: Expansions, names: readonly NameWithin[], whole: boolean): Topic {
    const times = this.#scaled(whole ? ALL_SCALE : SOME_SCALE)
    return topicOf(this.words, expansions, { ...this.#context, times, names, whole })
  }

  #clauseOf(expansions: Expansions[number], scale: number): Clause {
    const { vocabulary, documents } = this.#context
    return clauseOf(expansions, vocabulary, documents, this.#scaled(scale))
  }

  /** Returns the factor of scores, which matters only if all kinds of matches compete by score. */
  #scaled(scale: number): number {
    return this.loose ? scale : 1
  }
}
