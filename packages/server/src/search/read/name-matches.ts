/** Names of whole documents: the question as one, as it is or as guessing makes it. */

import { Tier } from '../port/query.ts'
import { NameKind, nameTerm } from '../text/names.ts'
import type { Clause } from './clauses.ts'
import type { Guess } from './vocabulary.ts'

/** Spellings of a whole name that are tried where words are guessed. */
const NAMES_TRIED = 256

/** The kind of match that a name makes; `same`: the id is the question to the letter. */
export function tierOfName(rank: number, same: () => boolean): number {
  if (rank === NameKind.id) return same() ? Tier.id : Tier.foldedId
  return rank === NameKind.title ? Tier.title : Tier.alias
}

/** What any of these names (`normalizedName`) is looked up by; the impact is the `NameKind`. */
export function nameClause(names: readonly string[]): Clause {
  return { readings: names.map((name) => ({ term: nameTerm(name), share: 1 })), weight: 1 }
}

/** Names that come of replacing words by guesses, the nearest guesses first. */
export function guessedNames(
  parts: readonly string[],
  words: readonly string[],
  guesses: readonly (readonly Guess[])[],
): string[] {
  const choices = parts.map((part) => [part, ...(guesses[words.indexOf(part)] ?? []).map(({ word }) => word)])
  const guessed = choices.filter((each) => each.length > 1).length
  const each = Math.floor(NAMES_TRIED ** (1 / Math.max(1, guessed)))
  let names = ['']
  for (const choice of choices) {
    names = names.flatMap((name) =>
      choice.slice(0, Math.max(1, each)).map((part) => (name === '' ? part : `${name} ${part}`)),
    )
  }
  return names
}
