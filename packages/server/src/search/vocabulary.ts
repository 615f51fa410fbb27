/** The index's own words, over all segments: how many documents hold one, which begin so, which are nearly so. */
import type { Budget } from './budget.ts'
import { compareBytes } from './bytes.ts'
import { Distances, editsAllowed, FAR, otherBeginnings } from './edits.ts'
import type { Segment } from './segment.ts'
import { stemOf } from './stem.ts'
import type { TableCursor } from './table.ts'
import { peekCount, peekSpelling } from './terms.ts'

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

/** Words of all segments together. For one search: it remembers what it has looked up. */
export class Vocabulary {
  readonly #segments: readonly Segment[]
  readonly #budget: Budget
  readonly #counts = new Map<string, number>()

  constructor(segments: readonly Segment[], budget: Budget) {
    this.#segments = segments
    this.#budget = budget
  }

  /** How many living documents hold a term. */
  count(term: string): number {
    let count = this.#counts.get(term)
    if (count === undefined) {
      count = this.#lookUp(Buffer.from(term), false)
      this.#counts.set(term, count)
    }
    return count
  }

  /** The terms of the most frequent words, as written or stemmed, that begin with `prefix`; ties alphabetically. */
  beginningWith(prefix: string): string[] {
    const bytes = Buffer.from(prefix)
    let found: { word: string; count: number }[] = []
    let least = 0
    for (const [cursor, count] of this.#range(bytes)) {
      if (count <= least) continue
      found.push({ word: Buffer.from(cursor.key.subarray(0, cursor.keyLength)).toString(), count })
      if (found.length < CANDIDATES) continue
      found = mostFrequent(found)
      least = found.at(-1)?.count ?? 0
    }
    return this.#termsOf(mostFrequent(found).map(({ word }) => word))
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
      const other = Buffer.from(cursor.key.subarray(0, cursor.keyLength)).toString()
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
    return Math.max(this.count(word), this.#lookUp(Buffer.from(word), true))
  }

  #lookUp(key: Uint8Array, spelling: boolean): number {
    let count = 0
    for (const segment of this.#segments) {
      const entry = segment.entry(key, spelling)
      if (entry) count += entry.documents + entry.correction
    }
    return count
  }

  /**
   * Every entry whose key begins so, ascending, once for all segments, with its living documents. Terms and words as
   * written are different entries, even where they are spelt the same.
   */
  *#range(prefix: Uint8Array): Generator<readonly [TableCursor, number]> {
    let open = this.#segments
      .map((segment) => segment.termCursor())
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

function compareEntries(left: TableCursor, right: TableCursor): number {
  const order = compareBytes(left.key, left.keyLength, right.key, right.keyLength)
  return order === 0 ? Number(peekSpelling(left.payload)) - Number(peekSpelling(right.payload)) : order
}

function begins(cursor: TableCursor, prefix: Uint8Array): boolean {
  if (cursor.keyLength < prefix.length) return false
  for (let at = 0; at < prefix.length; at++) if (cursor.key[at] !== prefix[at]) return false
  return true
}

function mostFrequent(words: { word: string; count: number }[]): { word: string; count: number }[] {
  return words
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || compareText(left.word, right.word))
    .slice(0, BEGINNINGS)
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** A function that gives the distance of a walk's current key from `word`, for keys that come in order. */
function nearness(word: string, max: number): (cursor: TableCursor) => number {
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

function nearnessByLetters(word: string, max: number): (cursor: TableCursor) => number {
  const letters = Array.from(word, (letter) => letter.codePointAt(0) ?? 0)
  const distances = new Distances(letters, max)
  return ({ key, keyLength }) => {
    const other = Buffer.from(key.subarray(0, keyLength)).toString()
    if (/\p{N}/u.test(other)) return FAR
    const codes = Array.from(other, (letter) => letter.codePointAt(0) ?? 0)
    return distances.to(codes, codes.length, 0)
  }
}
