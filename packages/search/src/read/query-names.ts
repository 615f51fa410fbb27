/** Matches a whole query with the names of documents: as it is, or with corrected spelling. */
import { nameTerm, withPart } from '../text/names.ts'
import type { Clause } from './clauses.ts'
import type { Scope } from './match.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import { TIER_SCORE, tierOfName } from './tiers.ts'
import type { Hit } from './top-k.ts'
import type { SpellingCandidate } from './vocabulary.ts'

/** Maximum number of names with corrected spelling that are looked up. */
const MAX_NAMES = 256

/** Returns a clause for documents that have any of these names (`normalizedName`); the impact is the `NameKind`. */
export function nameClause(names: readonly string[]): Clause {
  return { expansions: names.map((name) => ({ term: nameTerm(name), boost: 1 })), weight: 1 }
}

/**
 * Offers the documents that have the query as a name, scored by the lists that hold them, and yields each with the number of
 * these lists, in order. `names`: of a `nameClause`; `text`: the query, letter by letter.
 */
export function* matchNamed(
  { segment, ranges, top, deadline }: Scope,
  names: PostingsIterator,
  lists: readonly PostingsIterator[],
  text: string,
): Generator<{ readonly hit: Hit; readonly held: number }> {
  for (const { first, end } of ranges) {
    for (let document = names.seek(first); document < end; document = names.next()) {
      if (deadline.step()) return
      if (segment.isDeleted(document)) continue
      let score = tierOfName(names.score, () => segment.key(document).id === text) * TIER_SCORE
      let held = 0
      for (const postings of lists) {
        if (postings.seek(document) !== document) continue
        score += postings.score
        held += 1
      }
      top.offer(score, segment, document)
      yield { hit: { score, segment, document }, held }
    }
  }
}

/**
 * Returns the names that a query gives if words are replaced by spelling candidates, by the number of edits: those at 0 have
 * none. `parts`: the query's `nameParts`; `words`: the query's words, with the candidates of each, nearest first, beside them.
 */
export function correctedNames(
  parts: readonly string[],
  words: readonly string[],
  candidates: readonly (readonly SpellingCandidate[])[],
): string[][] {
  let names: string[][] = [['']]
  for (const part of parts) {
    const choices = [[part]]
    for (const { word, distance } of candidates[words.indexOf(part)] ?? []) {
      choices[distance] ??= []
      choices[distance].push(word)
    }
    names = extended(names, choices)
  }
  return names
}

/** Returns every name with every choice for its next word, by the number of edits, up to the maximum that is looked up. */
function extended(names: readonly string[][], choices: readonly string[][]): string[][] {
  const longer: string[][] = []
  let left = MAX_NAMES
  for (let edits = 0; left > 0 && edits < names.length + choices.length - 1; edits++) {
    const found: string[] = []
    for (let before = 0; before <= edits; before++) {
      for (const name of names[before] ?? []) {
        for (const word of choices[edits - before] ?? [])
          if (found.length < left) found.push(withPart(name, word))
      }
    }
    longer.push(found)
    left -= found.length
  }
  return longer
}
