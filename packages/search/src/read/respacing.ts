/** Corrects missing and extra spaces in a query by splitting or joining its words into indexed words. */
import { END } from '../format/postings.ts'
import { isFunctionTerm } from '../text/function-words.ts'
import { nameParts } from '../text/names.ts'
import { stem } from '../text/stem.ts'
import type { Synonyms } from '../text/synonyms.ts'
import { type Token, TokenKind, tokens } from '../text/tokeniser.ts'
import type { Deadline } from './deadline.ts'
import { nextOfAll } from './held-together.ts'
import { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import { spellingCandidates } from './spelling.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Maximum number of words in a short query. In longer queries (sentences), joined or split words match by chance. */
const SHORT_QUESTION = 8
/** Minimum total length of two words to join, in letters. Shorter pairs often join into unrelated words. */
const SHORTEST_JOINED = 5
/** Minimum length of a part that is not a whole run of letters or digits. Shorter parts occur in almost any word. */
const SHORTEST_PART = 3
/** Maximum number of parts into which a word is split. */
const MOST_PARTS = 4
/** Maximum number of splits tried per word. The splits with the most frequent parts are tried. */
const MOST_TRIED = 4
const DIGIT = /\p{N}/u

/**
 * Returns the terms of a query word's compound, of its `part`, and of the word joined with either neighbour, unless the
 * neighbour is among the words that stay `apart`.
 */
export function joinedTerms(words: readonly Token[], at: number, apart?: ReadonlySet<string>): string[] {
  const word = words[at]
  const isShort = words.length <= SHORT_QUESTION
  const [before, after] = [words[at - 1], words[at + 1]].map((one) =>
    one && apart?.has(one.text) ? undefined : one,
  )
  const pairs = [together(before, word, isShort), together(word, after, isShort)]
  return [word?.joined, word?.part, ...pairs].filter((term) => term !== undefined)
}

/** Returns the term of two joined neighbours, or undefined if joining them is implausible. */
function together(left: Token | undefined, right: Token | undefined, isShort: boolean): string | undefined {
  if (!left || !right || left.kind === TokenKind.gram || right.kind === TokenKind.gram) return undefined
  const whole = left.text + right.text
  if (left.kind !== right.kind) return whole
  if (left.kind === TokenKind.number || !isShort || whole.length < SHORTEST_JOINED) return undefined
  const term = stem(whole)
  return isFunctionTerm(term) ? undefined : term
}

/** Index access that is needed to decide whether to split a word. */
export interface SplittingIndex {
  readonly vocabulary: Vocabulary
  readonly synonyms: Synonyms
  /** Reports whether more than `many` live documents contain all of these terms. */
  readonly areHeldByMore: (many: number, terms: readonly string[]) => boolean
}

/** Returns a `SplittingIndex` that counts documents in these segments. */
export function segmentsToSplitBy(
  segments: readonly Segment[],
  vocabulary: Vocabulary,
  synonyms: Synonyms,
  deadline: Deadline,
): SplittingIndex {
  const areHeld = (many: number, terms: readonly string[]) =>
    areHeldByMore(many, terms, segments, vocabulary, deadline)
  return { vocabulary, synonyms, areHeldByMore: areHeld }
}

/**
 * In a short query, splits each unknown word whose parts occur together in documents, for example `starwars` into
 * `star wars`. A word is not split if it may be the prefix of a word or the suffix of a code, is more likely a misspelling,
 * or has synonyms.
 */
export function respaced(text: string, index: SplittingIndex): string {
  const { vocabulary, synonyms } = index
  const found = tokens(text)
  if (found.length > SHORT_QUESTION) return text
  const meant = synonyms.of(found)
  const parts = new Map<string, string>()
  for (const [at, token] of found.entries()) {
    if (token.kind === TokenKind.gram || isKnown(found, at, vocabulary)) continue
    if (meant[at]?.length) continue
    if (at === found.length - 1 && vocabulary.withPrefix(token.text).length > 0) continue
    if (token.kind === TokenKind.number && vocabulary.withEnding(token.text).length > 0) continue
    const split = splitOf(token.text, index)
    if (split) parts.set(token.text, split.join(' '))
  }
  if (parts.size === 0) return text
  return nameParts(text)
    .map((part) => parts.get(part) ?? part)
    .join(' ')
}

/** Reports whether the index contains a word, or the word joined with one of its neighbours. */
function isKnown(words: readonly Token[], at: number, vocabulary: Vocabulary): boolean {
  const terms = [termOf(words[at]?.text ?? ''), ...joinedTerms(words, at)]
  return terms.some((term) => vocabulary.count(term) > 0)
}

/** Splits a word into the fewest parts that together occur in more documents than any likely correction of it. */
function splitOf(word: string, index: SplittingIndex): string[] | undefined {
  let near: number | undefined
  for (let size = 2; size <= MOST_PARTS; size++) {
    for (const parts of splits(word, size, index.vocabulary)) {
      near ??= mostNear(word, index.vocabulary)
      if (index.areHeldByMore(near, parts.map(termOf))) return parts
    }
  }
  return undefined
}

/** Returns the largest document count of any spelling candidate. Counts of candidates at two edits are quartered. */
function mostNear(word: string, vocabulary: Vocabulary): number {
  if (DIGIT.test(word)) return 0
  const near = spellingCandidates(word, vocabulary)
  return Math.max(0, ...near.map(({ count, distance }) => (distance === 1 ? count : count / 4)))
}

/** Returns the best splits of a word into `size` indexed parts, in descending order of the rarest part's count. */
function splits(word: string, size: number, vocabulary: Vocabulary): string[][] {
  const found: { readonly parts: string[]; readonly least: number }[] = []
  const visit = (from: number, before: readonly string[], least: number): void => {
    const isLast = before.length === size - 1
    for (let end = isLast ? word.length : from + 1; end <= word.length; end++) {
      if (!isPart(word, from, end)) continue
      const part = word.slice(from, end)
      const held = Math.min(least, vocabulary.count(termOf(part)))
      if (held === 0) continue
      if (isLast) found.push({ parts: [...before, part], least: held })
      else visit(end, [...before, part], held)
    }
  }
  visit(0, [], Number.POSITIVE_INFINITY)
  found.sort((left, right) => right.least - left.least)
  return found.slice(0, MOST_TRIED).map(({ parts }) => parts)
}

/** Reports whether a part is long enough, or is a whole run of letters or digits but not the whole word. */
function isPart(word: string, from: number, end: number): boolean {
  if (end - from >= SHORTEST_PART) return true
  return end > from && isBorder(word, from) && isBorder(word, end) && (from > 0 || end < word.length)
}

/** Reports whether `at` is an end of the word or is between a letter and a digit. */
function isBorder(word: string, at: number): boolean {
  if (at === 0 || at === word.length) return true
  return DIGIT.test(word[at - 1] as string) !== DIGIT.test(word[at] as string)
}

function areHeldByMore(
  many: number,
  terms: readonly string[],
  segments: readonly Segment[],
  vocabulary: Vocabulary,
  deadline: Deadline,
): boolean {
  let held = 0
  for (const segment of segments) {
    const entries = terms.map((term) => vocabulary.entry(segment, term))
    const lists = entries.flatMap((entry) =>
      entry && entry.documents > 0 ? PostingsIterator.ofTerm(segment.postings, entry, 1) : [],
    )
    if (lists.length < terms.length) continue
    lists.sort((left, right) => left.count - right.count)
    for (let document = 0; document !== END; document += 1) {
      if (deadline.step()) return false
      document = nextOfAll(lists, document)
      if (document === END) break
      if (!segment.isDeleted(document)) held += 1
      if (held > many) return true
    }
  }
  return false
}

function termOf(word: string): string {
  return DIGIT.test(word) ? word : stem(word)
}
