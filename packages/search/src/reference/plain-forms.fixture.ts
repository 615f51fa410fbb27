/** Naive lookup of the words of a dictionary by their forms: beginnings, endings, inflections, characters. */
import { MAX_PREFIX_WORDS } from '../read/vocabulary.ts'
import { stem } from '../text/stem.ts'
import { type Token, TokenKind } from '../text/tokeniser.ts'
import { countOf, type Dictionary } from './dictionary.fixture.ts'
import { compareText, type Expansions, expansions, reversed } from './expansions.fixture.ts'
import { isFoundBy } from './plain-analysis.fixture.ts'
import { entriesOf } from './plain-spelling.fixture.ts'

/** Returns the terms that begin with a prefix. */
export function beginningWith(dictionary: Dictionary, prefix: string): string[] {
  return knownTerms(dictionary, mostFrequent(dictionary, prefix))
}

/** Returns the terms for titles that begin with a name. */
export function withBeginning(dictionary: Dictionary, name: string): string[] {
  if (name.length < 4) return []
  const key = `\u0003${name.slice(0, 8).replace(/[\ud800-\udbff]$/, '')}`
  return name.length > 8 ? [key] : mostFrequent(dictionary, key)
}

/** Returns the terms of compounds and codes that end with a word, with a boost of 0.5. */
export function endingWith(dictionary: Dictionary, { kind, text: end }: Token): Expansions {
  if (kind === TokenKind.gram || end.length < (/\p{N}/u.test(end) ? 3 : 4)) return new Map()
  const isWanted = (key: string) => isFoundBy(end, reversed(key.slice(1)))
  const words = mostFrequent(dictionary, `\u0002${reversed(end)}`, isWanted).map((key) =>
    reversed(key.slice(1)),
  )
  return new Map(knownTerms(dictionary, words).map((term) => [term, 0.5]))
}

/** Returns other forms of a word that is in no document, with a boost of 0.125. */
export function inflected(dictionary: Dictionary, { kind, text }: Token): Expansions {
  if (kind !== TokenKind.word) return new Map()
  const word = stem(text)
  for (let length = word.length; length >= Math.max(4, word.length / 2, word.length - 4); length--) {
    const others = mostFrequent(dictionary, word.slice(0, length))
    const near = others.filter((other) => other !== word && other.length <= Math.min(2 * length, length + 4))
    const terms = knownTerms(dictionary, near)
    if (terms.length > 0) return new Map(terms.map((term) => [term, 0.125]))
  }
  return new Map()
}

function mostFrequent(dictionary: Dictionary, prefix: string, isWanted = (_: string) => true): string[] {
  const words = entriesOf(dictionary).filter(([word]) => word.startsWith(prefix) && isWanted(word))
  words.sort(([left, leftCount], [right, rightCount]) => rightCount - leftCount || compareText(left, right))
  return words.slice(0, MAX_PREFIX_WORDS).map(([word]) => word)
}

function knownTerms(dictionary: Dictionary, words: readonly string[]): string[] {
  const terms = new Set(words.flatMap((word) => [word, stem(word)]))
  return [...terms].filter((term) => countOf(dictionary, term) > 0)
}

/** Returns the characters of a pair. */
export function characters(dictionary: Dictionary, { kind, text }: Token): Expansions {
  return expansions(kind === TokenKind.gram ? [...text].filter((each) => countOf(dictionary, each) > 0) : [])
}
