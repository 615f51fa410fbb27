/**
 * Decides which documents count as found by some of several words: those that hold enough of what the query is about. The
 * cover of a document is the weight of the telling words that it holds.
 */
import {
  type Clause,
  clauseOf,
  type Expansions,
  isCommon,
  type QueryWord,
  tellingAmong,
  weightOf,
} from './clauses.ts'
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
/** Part of the weight of a name in the text that its documents have as cover. */
const NAMED = 0.6
/** Boost up to which expansions are uncertain. */
const UNSURE = 0.5

/** Words of a query as clauses, and the need of a document in them. */
export interface Topic {
  /** Clauses of the words that have expansions, and of the names. */
  readonly clauses: readonly CoverClause[]
  /** Cover of all telling words together. */
  readonly all: number
  /** Returns the cover that a document needs to be found if the best document has `best`. */
  need(best: number): number
}

/** Index and text to which a topic belongs. */
export interface TopicContext {
  readonly vocabulary: Vocabulary
  readonly documents: number
  /** Factor applied to the weights. */
  readonly times: number
  /** Names of documents that stand in the text. */
  readonly names: readonly NameWithin[]
  /** Set if only documents that hold all telling words are sought. Names then affect the rank alone, and common words tell. */
  readonly whole: boolean
}

/**
 * Returns the topic of a query. Words tell what it is about unless they are function words or in more than half of all
 * documents; if there are no others, these do. Each of n words that tell nothing weighs at most as much as the lightest that
 * does, divided by n², as a question has more of them than a title. A name adds the weights of its words to the score of its documents and, if several words tell,
 * a weight by its own rarity to their cover.
 */
export function topicOf(words: readonly QueryWord[], expansions: Expansions, context: TopicContext): Topic {
  const { vocabulary, documents, times, names, whole } = context
  const isRare = ({ terms: [term = ''] }: QueryWord) => !isCommon({ term, boost: 1 }, vocabulary, documents)
  const wanted = tellingAmong(words)
  const rare = whole ? [] : wanted.filter(isRare)
  const telling = rare.length > 0 ? rare : wanted
  const silent = words.length - telling.length
  const own = words.map((word, at) => ({
    ...clauseOf(expansions[at] ?? [], vocabulary, documents, times),
    isTelling: telling.includes(word),
  }))
  const least = Math.min(...own.filter(({ isTelling }) => isTelling).map(({ weight }) => weight))
  const weighed = own.map(({ isTelling, ...clause }) => {
    if (isTelling) return { ...clause, cover: clause.weight }
    return { ...clause, weight: Math.ceil(Math.min(clause.weight, least) / silent ** 2), cover: 0 }
  })
  const told = weighed.filter(({ cover }) => cover > 0)
  const all = told.reduce((sum, { cover }) => sum + cover, 0)
  const isUnsure = told.some(
    ({ expansions: found }) => found.length > 0 && found.every(({ boost }) => boost <= UNSURE),
  )
  const most = isUnsure ? MOST_IF_UNSURE : MOST
  const share = told.length === 1 ? 1 : Math.max(FEWEST, Math.min(most, WORDS / told.length))
  const named = names.map((name) => {
    const held = weighed.filter((_, at) => name.words.includes(words[at]?.terms[0] ?? ''))
    return {
      expansions: nameExpansions(name, words, vocabulary, documents),
      weight: held.reduce((sum, { weight }) => sum + weight, 0),
      cover: whole || told.length === 1 ? 0 : Math.floor(NAMED * times * weightOf(name.holding, documents)),
    }
  })
  return {
    clauses: [...weighed.filter((clause) => clause.expansions.length > 0), ...named],
    all,
    need: (best) => Math.max(1, Math.min(all, Math.ceil(share * Math.max(best, LEAST * all)))),
  }
}
