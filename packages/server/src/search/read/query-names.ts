/** A whole query as the name of a document: as it is, or with corrected spelling. */
import { nameTerm } from '../text/names.ts'
import type { Clause } from './clauses.ts'
import type { SpellingCandidate } from './vocabulary.ts'

/** How many names with corrected spelling are looked up. */
const MAX_NAMES = 256

/** A clause for documents that have any of these names (`normalizedName`); the impact is the `NameKind`. */
export function nameClause(names: readonly string[]): Clause {
  return { expansions: names.map((name) => ({ term: nameTerm(name), boost: 1 })), weight: 1 }
}

/**
 * The names that a query gives when words are replaced by spelling candidates. `parts`: the query's `nameParts`; `words`: the
 * query's words, with the candidates of each beside them.
 */
export function correctedNames(
  parts: readonly string[],
  words: readonly string[],
  candidates: readonly (readonly SpellingCandidate[])[],
): string[] {
  const choices = parts.map((part) => [
    part,
    ...(candidates[words.indexOf(part)] ?? []).map(({ word }) => word),
  ])
  const replaceable = choices.filter((choice) => choice.length > 1).length
  const most = Math.max(1, Math.floor(MAX_NAMES ** (1 / Math.max(1, replaceable))))
  let names = ['']
  for (const choice of choices) {
    names = names.flatMap((name) =>
      choice.slice(0, most).map((part) => (name === '' ? part : `${name} ${part}`)),
    )
  }
  return names
}
