/**
 * Decides which documents count as found by some of several words: those that hold enough of what the query is about. The
 * cover of a document is the weight of the telling words that it holds.
 */
import { type Clause, clauseOf, type Expansions, isCommon, type QueryWord } from './clauses.ts'
import { type NameWithin, nameExpansions } from './names-within.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A clause with the weight that its word adds to the cover of a document, or 0 if the word tells nothing. */
export interface CoverClause extends Clause {
  readonly cover: number
}

/** Number of average words that a document must hold in a long question. */
const WORDS = 2.4
/** Greatest share of the best cover that a document must have if several words tell what is sought. */
const MOST = 0.6
/** The same if a word has only corrections or other uncertain expansions. */
const MOST_IF_UNSURE = 0.4
/** Smallest share of the best cover that a document must have. */
const FEWEST = 0.25
/** Share of the weight of all telling words that the best cover counts as at least, so that unknown words are missed. */
const LEAST = 1 / 3
/** Part of the weight of a name in the text that its documents have as cover, so small that all words together suffice. */
const NAMED = 0.6
/** Boost up to which expansions are uncertain. */
const UNSURE = 0.5

/** Words of a query as clauses, and the need of a document in them. */
export interface Topic {
  /** Clauses of the words that have expansions. */
  readonly clauses: readonly CoverClause[]
  /** Returns the cover that a document needs to be found if the best document has `best`. */
  need(best: number): number
}

/**
 * Returns the topic of a query. Words tell what it is about unless they are function words or in more than half of all
 * documents; if there are no others, these do. The weights of n words that tell nothing are divided by n², as a question has
 * more of them than a title. `names` are found in the text: each adds to the score of its documents and, if several words
 * tell, to their cover. `times` is a factor applied to the weights.
 */
export function topicOf(
  words: readonly QueryWord[],
  expansions: Expansions,
  context: { vocabulary: Vocabulary; documents: number; times: number; names: readonly NameWithin[] },
): Topic {
  const { vocabulary, documents, times, names } = context
  const isRare = ({ terms: [term = ''] }: QueryWord) => !isCommon({ term, boost: 1 }, vocabulary, documents)
  const [telling = words] = [
    words.filter((word) => word.telling && isRare(word)),
    words.filter((word) => word.telling),
  ].filter((some) => some.length > 0)
  const silent = words.length - telling.length
  const covers = words.map((word, at) => {
    const isTelling = telling.includes(word)
    const clause = clauseOf(expansions[at] ?? [], vocabulary, documents, times)
    return {
      ...clause,
      weight: isTelling ? clause.weight : Math.ceil(clause.weight / silent ** 2),
      isTelling,
    }
  })
  // A word of several names adds to the cover of the first alone, so that those of one document never exceed all words.
  const counted = new Set<string>()
  const told = covers.filter(({ isTelling }) => isTelling)
  const all = told.reduce((sum, { weight }) => sum + weight, 0)
  const isUnsure = told.some(
    ({ expansions: found }) => found.length > 0 && found.every(({ boost }) => boost <= UNSURE),
  )
  const most = isUnsure ? MOST_IF_UNSURE : MOST
  const share = told.length === 1 ? 1 : Math.max(FEWEST, Math.min(most, WORDS / told.length))
  return {
    clauses: [
      ...covers
        .filter((clause) => clause.expansions.length > 0)
        .map(({ isTelling, ...clause }) => ({ ...clause, cover: isTelling ? clause.weight : 0 })),
      ...names.map((name) => {
        const weightOf = (terms: readonly string[]) =>
          covers.reduce(
            (sum, { weight }, at) => (terms.includes(words[at]?.terms[0] ?? '') ? sum + weight : sum),
            0,
          )
        const fresh = told.length === 1 ? [] : name.words.filter((term) => !counted.has(term))
        for (const term of fresh) counted.add(term)
        return {
          expansions: nameExpansions(name, words, vocabulary, documents),
          weight: weightOf(name.words),
          cover: Math.floor(NAMED * weightOf(fresh)),
        }
      }),
    ],
    need: (best) => Math.max(1, Math.ceil(share * Math.max(best, LEAST * all))),
  }
}
