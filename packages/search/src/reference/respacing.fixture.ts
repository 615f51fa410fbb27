/** Naive splitting of unknown words. Examines every way to cut a word, and every document. */
import { joinedTerms } from '../read/respacing.ts'
import { nameParts } from '../text/names.ts'
import { stem } from '../text/stem.ts'
import { type Token, TokenKind, tokens } from '../text/tokeniser.ts'

/** Access to the words of all documents. */
export interface Known {
  /** Returns the documents that contain a term. */
  held(term: string): readonly unknown[]
  /** Reports whether any word begins with this prefix. */
  begins(prefix: string): boolean
  /** Reports whether any word has this ending and can be found by it. */
  ends(token: Token): boolean
  /** Returns the spelling candidates of a word. */
  near(word: string): readonly { readonly distance: number; readonly count: number }[]
  /** Synonyms, by term of the query. */
  readonly synonyms: ReadonlyMap<string, unknown>
}

/** Splits each unknown word of a query if that finds more documents than correcting its spelling. */
export function respacedPlainly(text: string, known: Known): string {
  const words = tokens(text)
  if (words.length > 8) return text
  const splits = new Map<string, string>()
  for (const [at, token] of words.entries()) {
    const { text: word, kind } = token
    if (kind === TokenKind.gram) continue
    if ([termOf(word), ...joinedTerms(words, at)].some((term) => known.held(term).length > 0)) continue
    if (at === words.length - 1 && known.begins(word)) continue
    if (kind === TokenKind.number && known.ends(token)) continue
    if (known.synonyms.has(termOf(word))) continue
    const split = splitOf(word, known)
    if (split) splits.set(word, split.join(' '))
  }
  if (splits.size === 0) return text
  return nameParts(text)
    .map((part) => splits.get(part) ?? part)
    .join(' ')
}

function splitOf(word: string, known: Known): string[] | undefined {
  const near = /\p{N}/u.test(word) ? [] : known.near(word)
  const most = Math.max(0, ...near.map(({ count, distance }) => (distance === 1 ? count : count / 4)))
  for (const size of [2, 3, 4]) {
    const ways = waysToCut(word, size)
      .map((parts) => ({ parts, least: Math.min(...parts.map((part) => known.held(termOf(part)).length)) }))
      .filter(({ least }) => least > 0)
      .sort((left, right) => right.least - left.least)
    for (const { parts } of ways.slice(0, 4)) {
      const lists = parts.map((part) => known.held(termOf(part)))
      const together = lists.reduce((left, right) => left.filter((each) => right.includes(each)))
      if (together.length > most) return parts
    }
  }
  return undefined
}

/** Returns all ways to cut a word into `size` parts. A part has three letters or more, or is a run of letters or digits. */
function waysToCut(word: string, size: number): string[][] {
  const isBorder = (at: number) =>
    at === 0 || at === word.length || /\p{N}/u.test(word[at - 1] ?? '') !== /\p{N}/u.test(word[at] ?? '')
  const cut = (from: number, left: number): string[][] => {
    const ways: string[][] = []
    for (let end = from + 1; end <= word.length; end++) {
      if (left === 1 && end < word.length) continue
      const isWhole = from === 0 && end === word.length
      if (end - from < 3 && (isWhole || !isBorder(from) || !isBorder(end))) continue
      const rest = left === 1 ? [[]] : cut(end, left - 1)
      ways.push(...rest.map((parts) => [word.slice(from, end), ...parts]))
    }
    return ways
  }
  return cut(0, size)
}

function termOf(word: string): string {
  return /\p{N}/u.test(word) ? word : stem(word)
}
