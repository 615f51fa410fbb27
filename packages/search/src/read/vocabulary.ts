/** Combined dictionaries of all segments. */

import { compareBytes } from '../format/byte-io.ts'
import type { TableIterator } from '../format/table.ts'
import { peekCount, peekEntry, peekSpelling, type TermEntry } from '../format/term-entry.ts'
import { beginningKey, isWithinKey } from '../text/beginnings.ts'
import { endingPrefix, isFoundByEnd, wordOfEnding } from '../text/endings.ts'
import { stem } from '../text/stem.ts'
import type { Deadline } from './deadline.ts'
import { eachNear } from './near-words.ts'
import type { Segment } from './segment.ts'

/** Maximum number of words to which a prefix expands. The most frequent words are used. */
export const MAX_PREFIX_WORDS = 64
/** Minimum number of letters that two forms of a word must share. The shared letters must also make up half of each form. */
const SHORTEST_STEM = 4
/** Maximum length of an inflectional ending, in letters. Allows for languages that chain several endings. */
const LONGEST_ENDING = 4
/** Number of words collected before the least frequent ones are dropped. */
const COLLECTED = 512

/** A word that the user may have meant. */
export interface SpellingCandidate {
  /** The word as written in some document. */
  readonly word: string
  /** Distance in edits. */
  readonly distance: number
  /** Number of live documents that contain it. */
  readonly count: number
}

/** A word found by its prefix. */
interface PrefixWord {
  readonly word: string
  readonly count: number
  /** Dictionary entry of the word, if there is only one segment. */
  readonly entry: TermEntry | undefined
}

/** Words of the index. An instance serves one search and caches its lookups. */
export class Vocabulary {
  /** Cached spelling candidates, by word. */
  readonly candidates = new Map<string, readonly SpellingCandidate[]>()
  readonly #segments: readonly Segment[]
  readonly #deadline: Deadline
  /** Cached entries from each segment, by term. */
  readonly #entries = new Map<string, readonly (TermEntry | undefined)[]>()

  constructor(segments: readonly Segment[], deadline: Deadline) {
    this.#segments = segments
    this.#deadline = deadline
  }

  /** Returns the number of live documents that contain a term. */
  count(term: string): number {
    return countOf(this.#entriesOf(term))
  }

  /** Returns the number of live documents that contain a word as written, regardless of its stem. */
  countAsWritten(word: string): number {
    const key = Buffer.from(word)
    const entries = this.#segments.map((segment) => segment.entries(key))
    const terms = entries.map(({ term }) => term)
    this.#entries.set(word, terms)
    return Math.max(countOf(terms), countOf(entries.map(({ spelling }) => spelling)))
  }

  /** Returns words and stems other than `word` that share its first letter and are within `edits` edits of it. */
  near(word: string, edits: number): SpellingCandidate[] {
    const found = new Map<string, { word: string; distance: number; count: number }>()
    for (const segment of this.#segments) {
      const terms = segment.termIterator()
      eachNear(word, edits, terms, this.#deadline, (distance) => {
        if (distance === 0) return
        const other = terms.text()
        // A term and a spelling with the same key are separate entries.
        const key = `${peekSpelling(terms.payload) ? 's' : 't'}${other}`
        const known = found.get(key) ?? { word: other, distance, count: 0 }
        known.count += peekCount(terms.payload)
        found.set(key, known)
      })
    }
    const best = new Map<string, SpellingCandidate>()
    for (const each of found.values())
      if (each.count > (best.get(each.word)?.count ?? 0)) best.set(each.word, each)
    return [...best.values()]
  }

  /** Returns the entry of a term in one segment, or undefined if the segment does not contain it. */
  entry(segment: Segment, term: string): TermEntry | undefined {
    return this.#entriesOf(term)[this.#segments.indexOf(segment)]
  }

  /** Returns the terms of the most frequent words and stems that begin with `prefix`, with ties in alphabetical order. */
  withPrefix(prefix: string): string[] {
    return this.#termsOf(this.#mostFrequent(prefix))
  }

  /** Returns the terms of the most frequent compounds and codes that end with `end`. Ties sort by their reversed letters. */
  withEnding(end: string): string[] {
    const prefix = endingPrefix(end)
    if (prefix === undefined) return []
    const keys = this.#mostFrequent(prefix, (key) => isFoundByEnd(key, end.length))
    return this.#termsOf(keys.map(wordOfEnding))
  }

  /**
   * Returns the most frequent title-prefix terms that begin with `name`, a `normalizedName`. If `name` is longer than any
   * indexed prefix, returns only the term for its first letters, if there is one.
   */
  withBeginning(name: string): string[] {
    const key = beginningKey(name)
    if (key === undefined) return []
    if (!isWithinKey(name)) return this.count(key) > 0 ? [key] : []
    return this.#mostFrequent(key)
  }

  /** Returns the terms of the most frequent words that share the longest prefix with `word` but end differently. */
  withStem(word: string): string[] {
    const shortest = Math.max(SHORTEST_STEM, word.length / 2, word.length - LONGEST_ENDING)
    for (let length = word.length; length >= shortest; length--) {
      const near = this.#mostFrequent(word.slice(0, length)).filter(
        (other) => other !== word && other.length <= Math.min(2 * length, length + LONGEST_ENDING),
      )
      const terms = this.#termsOf(near)
      if (terms.length > 0) return terms
    }
    return []
  }

  #termsOf(words: readonly string[]): string[] {
    const terms = new Set(words.flatMap((word) => [word, stem(word)]))
    return [...terms].filter((term) => this.count(term) > 0)
  }

  /** Returns the most frequent words that begin with `prefix` and satisfy `isWanted`, with ties in alphabetical order. */
  #mostFrequent(prefix: string, isWanted: (word: string) => boolean = () => true): string[] {
    const alone = this.#segments.length === 1
    const documents = this.#segments[0]?.head.documents ?? 0
    let found: PrefixWord[] = []
    let least = 0
    for (const [iterator, count] of this.#entriesWithPrefix(Buffer.from(prefix))) {
      if (count <= least) continue
      const word = iterator.text()
      if (!isWanted(word)) continue
      found.push({ word, count, entry: alone ? peekEntry(iterator.payload, documents) : undefined })
      if (found.length < COLLECTED) continue
      found = mostFrequent(found)
      least = found.at(-1)?.count ?? 0
    }
    const best = mostFrequent(found)
    // Caches the entries just read.
    for (const { word, entry } of best) if (entry && !entry.spelling) this.#entries.set(word, [entry])
    return best.map(({ word }) => word)
  }

  /**
   * Yields, in ascending order, every entry whose key begins with `prefix`, merged across segments, with its live document
   * count. A term and a spelling with the same key are separate entries. Ends early once the deadline has passed.
   */
  *#entriesWithPrefix(prefix: Uint8Array): Generator<readonly [TableIterator, number]> {
    let open = this.#segments
      .map((segment) => segment.termIterator())
      .filter((iterator) => iterator.seek(prefix) && hasPrefix(iterator, prefix))
    while (open.length > 1) {
      if (this.#deadline.step()) return
      const first = open.reduce((left, right) => (compareEntries(left, right) <= 0 ? left : right))
      const same = open.filter((iterator) => compareEntries(iterator, first) === 0)
      yield [first, same.reduce((sum, { payload }) => sum + peekCount(payload), 0)]
      const ended = same.filter((iterator) => !(iterator.next() && hasPrefix(iterator, prefix)))
      if (ended.length > 0) open = open.filter((iterator) => !ended.includes(iterator))
    }
    // Often only one segment has entries left, so nothing needs to be compared.
    const [only] = open
    if (!only) return
    do {
      if (this.#deadline.step()) return
      yield [only, peekCount(only.payload)]
    } while (only.next() && hasPrefix(only, prefix))
  }

  #entriesOf(term: string): readonly (TermEntry | undefined)[] {
    let entries = this.#entries.get(term)
    if (entries === undefined) {
      const key = Buffer.from(term)
      entries = this.#segments.map((segment) => segment.entries(key).term)
      this.#entries.set(term, entries)
    }
    return entries
  }
}

function compareEntries(left: TableIterator, right: TableIterator): number {
  const order = compareBytes(left.key, left.keyLength, right.key, right.keyLength)
  return order === 0 ? Number(peekSpelling(left.payload)) - Number(peekSpelling(right.payload)) : order
}

function hasPrefix({ key, keyLength }: TableIterator, prefix: Uint8Array): boolean {
  if (keyLength < prefix.length) return false
  for (let at = 0; at < prefix.length; at++) if (key[at] !== prefix[at]) return false
  return true
}

function countOf(entries: readonly (TermEntry | undefined)[]): number {
  let count = 0
  for (const entry of entries) if (entry) count += entry.documents + entry.deletionDelta
  return count
}

/** Returns the most frequent words. Ties keep the order of `words`. */
function mostFrequent(words: readonly PrefixWord[]): PrefixWord[] {
  return words
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
    .slice(0, MAX_PREFIX_WORDS)
}
