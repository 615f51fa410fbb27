/** Naive spelling candidates, found by comparing every word of the dictionary. */
import { otherFirstLetters } from '../read/edit-distance.ts'
import { stem } from '../text/stem.ts'
import type { Dictionary } from './dictionary.fixture.ts'
import { distanceOf } from './distance.fixture.ts'
import type { Expansions } from './expansions.fixture.ts'

/** A spelling candidate with its edit distance and the number of documents that contain it. */
export interface Near {
  readonly word: string
  readonly distance: number
  readonly count: number
}

/** Returns all terms and spellings, with their document frequencies. */
export function entriesOf({ terms, spellings }: Dictionary): (readonly [string, number])[] {
  return [...[...terms].map(([term, { length }]) => [term, length] as const), ...spellings]
}

/** Returns the spelling candidates of a word, nearest first. */
export function nearTo(dictionary: Dictionary, word: string): Near[] {
  const letters = [...word].length
  const max = letters < 3 ? 0 : letters < 6 ? 1 : 2
  const found = new Map<string, Near>()
  const ascii = /^[\0-\x7f]*$/.test(word)
  const add = (other: string, distance: number, count: number) => {
    if (count > (found.get(other)?.count ?? 0)) found.set(other, { word: other, distance, count })
  }
  for (const [other, count] of max > 0 ? entriesOf(dictionary) : []) {
    if (other === word || [...other][0] !== [...word][0] || /\p{N}/u.test(other)) continue
    if (ascii && !/^[A-Za-z]*$/.test(other)) continue
    const distance = distanceOf([...word], [...other])
    if (distance <= max) add(other, distance, count)
  }
  for (const other of max > 0 ? otherFirstLetters(word) : []) {
    const written = dictionary.spellings.get(other) ?? 0
    add(other, 2, Math.max(dictionary.terms.get(other)?.length ?? 0, written))
  }
  return [...found.values()]
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, 32)
}

const BOOSTS = [1, 0.5, 0.25]

/** Returns the expansions of spelling candidates, omitting terms that do not occur in any document. */
export function correctedExpansions(
  candidates: readonly { readonly word: string; readonly distance: number }[],
  count: (term: string) => number,
): Expansions {
  const found: Expansions = new Map()
  for (const { word, distance } of candidates) {
    for (const term of [word, stem(word)]) {
      if (count(term) > 0) found.set(term, Math.max(found.get(term) ?? 0, BOOSTS[distance] ?? 0))
    }
  }
  return found
}
