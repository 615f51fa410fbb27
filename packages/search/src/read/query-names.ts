/** Matches a whole query against document names, either verbatim or with corrected spelling. */
import { nameTerm, withPart } from '../text/names.ts'
import type { Clause } from './clauses.ts'
import type { Scope } from './match.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import { TIER_SCORE, tierOfName } from './tiers.ts'
import type { Hit } from './top-k.ts'
import type { SpellingCandidate } from './vocabulary.ts'

/** Maximum number of corrected names looked up. */
const MAX_NAMES = 256
/** Maximum number of words of a query of which corrected names are made. */
const MAX_NAME_WORDS = 32

/** Returns a clause that matches documents with any of these names (`normalizedName`). The impact is the `NameKind`. */
export function nameClause(names: readonly string[]): Clause {
  return { expansions: names.map((name) => ({ term: nameTerm(name), boost: 1 })), weight: 1 }
}

/**
 * Offers `top` the documents that have the query as a name, each scored by the `lists` that contain it. Yields the hits in
 * document order, each with how many lists contain it. `names` comes from a `nameClause`; `text` is the exact query text.
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
 * Returns the names made by replacing the query's `nameParts` with spelling candidates, grouped by edit count. The names at
 * index 0 have no edits. `candidates` contains the candidates of each query word in `words`, nearest first. Returns none for a
 * query of more than `MAX_NAME_WORDS` words.
 */
export function correctedNames(
  parts: readonly string[],
  words: readonly string[],
  candidates: readonly (readonly SpellingCandidate[])[],
): string[][] {
  if (parts.length > MAX_NAME_WORDS) return []
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

/** Extends every name with every choice for its next word, grouped by edit count, up to `MAX_NAMES` names. */
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
