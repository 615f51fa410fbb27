/** The index's own words, over all segments: how many documents hold one, which begin so, which are nearly so. */

import { compareBytes } from '../format/bytes.ts'
import type { TableIterator } from '../format/table.ts'
import { peekCount, peekEntry, peekSpelling, type TermEntry } from '../format/term-entry.ts'
import { stemOf } from '../text/stem.ts'
import type { Budget } from './deadline.ts'
import { Distances, editsAllowed, FAR, otherBeginnings } from './edit-distance.ts'
import type { Segment } from './segment.ts'

/** How many words a beginning stands for at most: the most frequent ones. */
export const BEGINNINGS = 64
/** How many words an unknown word is taken to mean at most: the nearest, then the most frequent. */
export const GUESSES = 32
/** An error in the first letter is so rare that it counts as one edit more. */
const FIRST_LETTER = 1
/** Candidates collected before the less frequent ones are dropped. */
const CANDIDATES = 512

/** A word that may have been meant. */
export interface Guess {
  /** As written in some document. */
  readonly word: string
  readonly distance: number
  /** Living documents that hold it. */
  readonly count: number
}

/** A word that begins as asked for. */
interface Beginning {
  readonly word: string
  readonly count: number
  /** Where there is but one segment. */
  readonly entry: TermEntry | undefined
}

/** Words of all segments together. For one search: it remembers what it has looked up. */
export class Vocabulary {
  readonly #segments: readonly Segment[]
  readonly #budget: Budget
  /** What each segment says of a term. */
  readonly #entries = new Map<string, readonly (TermEntry | undefined)[]>()

  constructor(segments: readonly Segment[], budget: Budget) {
    this.#segments = segments
    this.#budget = budget
  }

  /** How many living documents hold a term. */
  count(term: string): number {
    return countOf(this.#entriesOf(term))
  }

  /** What the dictionary of one of the segments says of a term. */
  entry(segment: Segment, term: string): TermEntry | undefined {
    return this.#entriesOf(term)[this.#segments.indexOf(segment)]
  }

  /** The terms of the most frequent words, as written or stemmed, that begin with `prefix`; ties alphabetically. */
  beginningWith(prefix: string): string[] {
    const bytes = Buffer.from(prefix)
    const alone = this.#segments.length === 1
    let found: Beginning[] = []
    let least = 0
    for (const [cursor, count] of this.#range(bytes)) {
      if (count <= least) continue
      const word = cursor.text()
      found.push({ word, count, entry: alone ? peekEntry(cursor.payload) : undefined })
      if (found.length < CANDIDATES) continue
      found = mostFrequent(found)
      least = found.at(-1)?.count ?? 0
    }
    const best = mostFrequent(found)
    // What has just been read is not looked up again.
    for (const { word, entry } of best) if (entry && !entry.spelling) this.#entries.set(word, [entry])
    return this.#termsOf(best.map(({ word }) => word))
  }

  /** The words that `word` may be an error for, nearest first. Never `word` itself, never one with a digit. */
  nearTo(word: string): Guess[] {
    const letters = [...word]
    const max = editsAllowed(letters.length)
    if (max === 0) return []
    const found = new Map<string, Guess>()
    const near = nearness(word, max)
    for (const [cursor, count] of this.#range(Buffer.from(letters[0] as string))) {
      const distance = near(cursor)
      if (distance === FAR || count <= 0) continue
      const other = cursor.text()
      if (other !== word && count > (found.get(other)?.count ?? 0))
        found.set(other, { word: other, distance, count })
    }
    for (const other of otherBeginnings(word)) {
      const count = this.#written(other)
      if (count > 0) found.set(other, { word: other, distance: 1 + FIRST_LETTER, count })
    }
    return [...found.values()]
      .sort(
        (left, right) =>
          left.distance - right.distance || right.count - left.count || (left.word < right.word ? -1 : 1),
      )
      .slice(0, GUESSES)
  }

  /** The terms of words as written. */
  #termsOf(words: readonly string[]): string[] {
    const terms = words.flatMap((word) => [word, stemOf(word)])
    return [...new Set(terms)].filter((term) => this.count(term) > 0)
  }

  #written(word: string): number {
    const key = Buffer.from(word)
    return Math.max(this.count(word), countOf(this.#segments.map((segment) => segment.entry(key, true))))
  }

  #entriesOf(term: string): readonly (TermEntry | undefined)[] {
    let entries = this.#entries.get(term)
    if (entries === undefined) {
      const key = Buffer.from(term)
      entries = this.#segments.map((segment) => segment.entry(key))
      this.#entries.set(term, entries)
    }
    return entries
  }

  /**
   * Every entry whose key begins so, ascending, once for all segments, with its living documents. Terms and words as
   * written are different entries, even where they are spelt the same.
   */
  *#range(prefix: Uint8Array): Generator<readonly [TableIterator, number]> {
    let open = this.#segments
      .map((segment) => segment.termIterator())
      .filter((at) => at.seek(prefix) && begins(at, prefix))
    while (open.length > 1) {
      if (this.#budget.step()) return
      const first = open.reduce((left, right) => (compareEntries(left, right) <= 0 ? left : right))
      const same = open.filter((cursor) => compareEntries(cursor, first) === 0)
      yield [first, same.reduce((sum, { payload }) => sum + peekCount(payload), 0)]
      const ended = same.filter((cursor) => !(cursor.next() && begins(cursor, prefix)))
      if (ended.length > 0) open = open.filter((cursor) => !ended.includes(cursor))
    }
    // Alone, the largest segment takes no comparing.
    const [only] = open
    if (!only) return
    do {
      if (this.#budget.step()) return
      yield [only, peekCount(only.payload)]
    } while (only.next() && begins(only, prefix))
  }
}

function compareEntries(left: TableIterator, right: TableIterator): number {
  const order = compareBytes(left.key, left.keyLength, right.key, right.keyLength)
  return order === 0 ? Number(peekSpelling(left.payload)) - Number(peekSpelling(right.payload)) : order
}

function begins(cursor: TableIterator, prefix: Uint8Array): boolean {
  if (cursor.keyLength < prefix.length) return false
  for (let at = 0; at < prefix.length; at++) if (cursor.key[at] !== prefix[at]) return false
  return true
}

function countOf(entries: readonly (TermEntry | undefined)[]): number {
  let count = 0
  for (const entry of entries) if (entry) count += entry.documents + entry.deletionDelta
  return count
}

/** Of words that ascend, at least those of equal counts: the order of ties. */
function mostFrequent(words: readonly Beginning[]): Beginning[] {
  return words
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
    .slice(0, BEGINNINGS)
}

/** A function that gives the distance of a walk's current key from `word`, for keys that come in order. */
function nearness(word: string, max: number): (cursor: TableIterator) => number {
  const ascii = Buffer.byteLength(word) === word.length
  if (!ascii) return nearnessByLetters(word, max)
  const distances = new Distances(Buffer.from(word), max)
  const before = new Uint8Array(word.length + max)
  let length = 0
  return ({ key, keyLength }) => {
    if (keyLength > word.length + max || keyLength < word.length - max) return FAR
    let shared = 0
    while (shared < length && shared < keyLength && before[shared] === key[shared]) shared += 1
    length = shared
    for (; length < keyLength; length++) {
      const byte = key[length] as number
      // Digits make it no word, bytes beyond ASCII make it another script.
      if (byte < 0x41 || byte >= 0x80) return distances.to(before, 0, shared)
      before[length] = byte
    }
    return distances.to(before, length, shared)
  }
}

function nearnessByLetters(word: string, max: number): (cursor: TableIterator) => number {
  const letters = Array.from(word, (letter) => letter.codePointAt(0) ?? 0)
  const distances = new Distances(letters, max)
  return (cursor) => {
    const other = cursor.text()
    if (/\p{N}/u.test(other)) return FAR
    const codes = Array.from(other, (letter) => letter.codePointAt(0) ?? 0)
    return distances.to(codes, codes.length, 0)
  }
}
