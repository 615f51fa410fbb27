/** Synonym rules for words and phrases. */
import type { SynonymRule } from '@worldwright/core/store'
import { stem } from './stem.ts'
import { type Token, TokenKind, tokens } from './tokeniser.ts'
import { typeTerm } from './type-terms.ts'

export type { SynonymRule } from '@worldwright/core/store'

/** Maximum number of words in a phrase. In unspaced scripts, each pair of characters counts as a word. */
const MOST_WORDS = 8
/** Maximum number of synonyms of a word or phrase. A search reads the postings of all of them. */
const MOST_SYNONYMS = 64

/** Terms of a phrase, in order. A document matches a phrase if it contains all of them. */
type Phrase = readonly string[]

interface Entry {
  readonly phrase: Phrase
  readonly synonyms: readonly Phrase[]
}

/** Order of a type's entities, the first of which a word stands for. */
export interface TypeOrder {
  readonly type: string
  readonly order: NonNullable<SynonymRule['order']>
}

/** Synonym rules of one world, looked up by query words. */
export class Synonyms {
  readonly #rules: readonly SynonymRule[]
  /** Entries by the first term of the phrase. */
  readonly #entries = new Map<string, Entry[]>()
  /** Orders by the term of the word that stands for them. */
  readonly #orders = new Map<string, TypeOrder[]>()
  #plain: Synonyms | undefined

  constructor(rules: readonly SynonymRule[]) {
    this.#rules = rules
    for (const { from, type = '', order } of rules)
      for (const key of order ? new Set(from.map((word) => keyOf(phraseOf(word)))) : [])
        if (order) this.#orders.set(key, [...(this.#orders.get(key) ?? []), { type, order }])
    for (const entry of entriesOf(rules.filter(({ order }) => order === undefined))) {
      const [first = ''] = entry.phrase
      this.#entries.set(first, [...(this.#entries.get(first) ?? []), entry])
    }
  }

  /** Returns the synonyms without the rules for types and orders. */
  get plain(): Synonyms {
    this.#plain ??= new Synonyms(this.#rules.filter(({ type }) => type === undefined))
    return this.#plain
  }

  /** Returns the orders that a word stands for. */
  orders(word: Token): readonly TypeOrder[] {
    return this.#orders.get(termOf(word)) ?? []
  }

  /** Returns, for each query word, the synonyms of every phrase in the query that contains the word. */
  of(words: readonly Token[]): readonly (readonly Phrase[])[] {
    const found: Phrase[][] = words.map(() => [])
    if (this.#entries.size === 0) return found
    const terms = words.map(termOf)
    for (const [from, first] of terms.entries()) {
      for (const { phrase, synonyms } of this.#entries.get(first) ?? []) {
        if (phrase.some((term, at) => terms[from + at] !== term)) continue
        for (let at = from; at < from + phrase.length; at++) found[at]?.push(...synonyms)
      }
    }
    return found
  }
}

/** Returns the term under which a query word is looked up. */
export function termOf({ kind, text }: Token): string {
  return kind === TokenKind.word ? stem(text) : text
}

/** Returns the faults in the rules as messages for the author, each with the index of the faulty rule. */
export function synonymFaults(rules: readonly SynonymRule[]): { rule: number; message: string }[] {
  const faults = rules.flatMap(({ from, to }, rule) =>
    [...new Set([...from, ...to])].flatMap((text) => {
      const { length } = tokens(text)
      if (length === 0) return [{ rule, message: `${JSON.stringify(text)} holds no word` }]
      if (length <= MOST_WORDS) return []
      return [{ rule, message: `${JSON.stringify(text)} has more than ${MOST_WORDS} words` }]
    }),
  )
  const crowded = entriesOf(rules).find(({ synonyms }) => synonyms.length > MOST_SYNONYMS)
  if (!crowded) return faults
  const key = keyOf(crowded.phrase)
  const rule = rules.findLastIndex(({ from }) => from.some((text) => keyOf(phraseOf(text)) === key))
  return [...faults, { rule, message: `${crowded.phrase.join(' ')} has more than ${MOST_SYNONYMS} synonyms` }]
}

/** Returns each phrase once with all its synonyms, which never include the phrase itself. */
function entriesOf(rules: readonly SynonymRule[]): Entry[] {
  const entries = new Map<string, { phrase: Phrase; synonyms: Map<string, Phrase> }>()
  for (const { from, to, type } of rules) {
    const others = [...to.map(phraseOf), ...(type === undefined ? [] : [[typeTerm(type)]])]
    for (const phrase of from.map(phraseOf)) {
      const key = keyOf(phrase)
      const entry = entries.get(key) ?? { phrase, synonyms: new Map() }
      entries.set(key, entry)
      for (const other of others) if (keyOf(other) !== key) entry.synonyms.set(keyOf(other), other)
    }
  }
  return entries
    .values()
    .map(({ phrase, synonyms }) => ({ phrase, synonyms: [...synonyms.values()] }))
    .toArray()
}

function phraseOf(text: string): Phrase {
  return tokens(text).map(termOf)
}

function keyOf(phrase: Phrase): string {
  return phrase.join(' ')
}
