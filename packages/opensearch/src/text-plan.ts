/**
 * Plans a text search in OpenSearch with the same kinds of matches, in the same order and with the same scores, as a local
 * index (`search/read/searcher.ts`). Counts decide which kinds of matches are searched. Documents are fetched afterwards.
 */

import type { Clause, Expansions, NameWithin, QueryTextContext, SpellingCandidate } from '@worldwright/search'
import {
  correctedNames,
  ENOUGH,
  endingExpansions,
  guessesFor,
  isOfName,
  joined,
  Matched,
  mayGoOn,
  nameParts,
  namesAmong,
  nameTerm,
  normalizedName,
  prefixExpansions,
  QueryText,
  respaced,
  runsWithin,
  someExpansions,
  TIER_SCORE,
  Tier,
  tierOfBeginning,
  tierOfCorrectedName,
} from '@worldwright/search'
import {
  allQuery,
  anyQuery,
  coverQuery,
  type EngineQuery,
  expansionQuery,
  KINDS,
  namedQuery,
  nameFilter,
  nameQuery,
  termQuery,
} from './clause-queries.ts'

/** Query for one kind of match, with the amount to add to the scores of its documents. */
export interface Level {
  readonly tierScore: number
  readonly query: EngineQuery
}

/** Plan of a text search, made before any document is fetched. */
export interface TextPlan {
  /** Levels in descending order of score. A document belongs to the first level that it matches. */
  readonly levels: readonly Level[]
  /** Queries for all documents that match the text, without scores. */
  readonly found: readonly EngineQuery[]
  /** Matched expansions of the query words. */
  readonly matched: Matched
}

/** Context of a plan, whose searches are restricted to live documents of the requested types. */
export interface TextPlanContext extends QueryTextContext {
  readonly unfinished?: boolean | undefined
  /** Returns the number of documents that match each query. */
  readonly counts: (queries: readonly EngineQuery[]) => Promise<number[]>
  /** Returns the id in the index and the score of the best document that matches a query, or undefined if none does. */
  readonly best: (query: EngineQuery) => Promise<{ readonly id: string; readonly score: number } | undefined>
}

/** Plans a text search, calling `counts` as needed. */
export async function textPlan(text: string, context: TextPlanContext): Promise<TextPlan> {
  return new TextPlanner(await spacedText(text, context), context).run()
}

/** Splits a word if its parts occur in more documents than the word. Repeats until all required counts are known. */
async function spacedText(text: string, { vocabulary, synonyms, counts }: TextPlanContext): Promise<string> {
  const known = new Map<string, number>()
  for (;;) {
    const unknown: (readonly string[])[] = []
    const areHeldByMore = (many: number, terms: readonly string[]) => {
      const held = known.get(terms.join(' '))
      if (held === undefined) unknown.push(terms)
      return held !== undefined && held > many
    }
    const read = respaced(text, { vocabulary, synonyms, areHeldByMore })
    if (unknown.length === 0) return read
    const found = await counts(
      unknown.map((terms) => ({ bool: { filter: terms.map((term) => termQuery(term, 1)) } })),
    )
    for (const [at, terms] of unknown.entries()) known.set(terms.join(' '), found[at] ?? 0)
  }
}

class TextPlanner {
  readonly #context: TextPlanContext
  readonly #text: QueryText
  readonly #levels: Level[] = []
  readonly #matched = new Matched()
  #counted: EngineQuery | undefined
  /** Expansions of the last search for documents that hold all telling words, and the query for these. */
  #whole: { readonly expansions: Expansions; readonly query: EngineQuery } | undefined
  #names: readonly NameWithin[] | undefined
  #isAny = false
  #total = 0

  constructor(text: string, context: TextPlanContext) {
    this.#context = context
    this.#text = new QueryText(text, context)
  }

  async run(): Promise<TextPlan> {
    const { words, one, loose, wordy } = this.#text
    const exact = this.#text.exact()
    const names = this.#matchNames(
      this.#text.clauses(exact).filter(({ expansions }) => expansions.length > 0),
    )
    await this.#matchAll(exact, Tier.allWords)
    const none = this.#total === 0
    let certain: Expansions = exact
    if (this.#wantsMore(mayGoOn(this.#context, words, this.#context.vocabulary)))
      certain = await this.#matchMore(certain, prefixExpansions, Tier.prefix)
    if (this.#wantsMore(none || one)) certain = await this.#matchMore(certain, endingExpansions, Tier.ending)
    const all = this.#wantsMore(none) ? await this.#matchGuesses(exact, certain) : certain
    const better = this.#levels.filter(({ tierScore }) => tierScore < Tier.alias * TIER_SCORE)
    if (loose && wordy) await this.#rankWhole()
    if (this.#wantsMore(!one || this.#total === 0)) await this.#matchSome([exact, certain, all])
    const found = [
      ...(this.#counted ? [this.#counted] : []),
      ...names,
      ...(this.#isAny ? better.map(({ query }) => query) : []),
    ]
    const levels = this.#levels.toSorted((left, right) => right.tierScore - left.tierScore)
    return { levels, found, matched: this.#matched }
  }

  #wantsMore(condition = true): boolean {
    return condition && this.#total < ENOUGH
  }

  /** Adds levels for documents that have the text as a name. Returns unscored queries for all of these documents. */
  #matchNames(clauses: readonly Clause[]): EngineQuery[] {
    const text = this.#text.text.trim().normalize('NFC')
    const name = normalizedName(text)
    if (name === '') return []
    const names = [nameTerm(name)]
    const byId = namedQuery('id', names, clauses)
    const exactly = { term: { id: text } }
    this.#levels.push(
      { tierScore: Tier.id * TIER_SCORE, query: { bool: { must: byId, filter: exactly } } },
      { tierScore: Tier.foldedId * TIER_SCORE, query: { bool: { must: byId, must_not: exactly } } },
      { tierScore: Tier.title * TIER_SCORE, query: namedQuery('title', names, clauses) },
      { tierScore: Tier.alias * TIER_SCORE, query: namedQuery('alias', names, clauses) },
    )
    return KINDS.map((kind) => nameFilter(kind, names))
  }

  async #matchMore(known: Expansions, more: typeof prefixExpansions, tier: number): Promise<Expansions> {
    const found = this.#text.words.map((word) => more(word, this.#context.vocabulary))
    if (found.every((each) => each.length === 0)) return known
    const expansions = joined(known, found)
    await this.#matchAll(expansions, tier)
    return expansions
  }

  async #matchGuesses(exact: Expansions, certain: Expansions): Promise<Expansions> {
    const guesses = guessesFor(this.#text.words, exact, this.#context.vocabulary)
    if (!guesses) return certain
    const expansions = joined(certain, guesses.expansions)
    this.#matchCorrectedNames(expansions, guesses.candidates)
    await this.#matchAll(expansions, Tier.correctedWords)
    return expansions
  }

  #matchCorrectedNames(expansions: Expansions, candidates: readonly (readonly SpellingCandidate[])[]): void {
    const clauses = this.#text.tellingClauses(expansions)
    if (!clauses) return
    const words = this.#text.words.map(({ token }) => token.text)
    const names = correctedNames(nameParts(this.#text.text), words, candidates)
    const must = allQuery(clauses)
    for (const [edits, same] of names.entries()) {
      // Names without edits have already been matched exactly.
      if (edits === 0 || same.length === 0) continue
      const any = KINDS.map((kind) => nameFilter(kind, same.map(nameTerm)))
      const filter = { bool: { should: any, minimum_should_match: 1 } }
      this.#offer(tierOfCorrectedName(edits), { bool: { must, filter } })
    }
  }

  /** Adds a level for documents that contain an expansion of every telling word, and counts them. */
  async #matchAll(expansions: Expansions, tier: number): Promise<void> {
    const clauses = this.#text.tellingClauses(expansions)
    if (!clauses) return
    const query = allQuery(clauses)
    const begun =
      tier >= Tier.prefix && this.#text.beginning.expansions.map((expansion) => expansionQuery(expansion))
    if (begun && begun.length > 0) {
      const filter = { bool: { should: begun, minimum_should_match: 1 } }
      this.#offer(tierOfBeginning(tier, this.#text.words.length), { bool: { must: query, filter } })
    }
    this.#offer(tier, query)
    this.#counted = query
    this.#total = (await this.#context.counts([query]))[0] ?? 0
    if (this.#total === 0) return
    this.#whole = { expansions, query }
    this.#matched.note(clauses.map((clause) => clause.expansions))
  }

  /** Adds a level that ranks the documents with all telling words by the other words and the names in the text, too. */
  async #rankWhole(): Promise<void> {
    if (!this.#whole) return
    const { expansions, query } = this.#whole
    const { clauses } = this.#text.topic(expansions, await this.#namesWithin(), true)
    this.#offer(Tier.someWords, { bool: { must: anyQuery(clauses), filter: query } })
  }

  /** Adds a level for documents that hold enough words. Each word uses the first of `kinds` that expands it. */
  async #matchSome(kinds: readonly Expansions[]): Promise<void> {
    const { vocabulary, best } = this.#context
    const expansions = someExpansions(this.#text.words, kinds, vocabulary)
    const { clauses, need } = this.#text.topic(expansions, await this.#namesWithin(), false)
    const telling = clauses.filter(({ cover }) => cover > 0)
    this.#matched.note(telling.map((clause) => clause.expansions))
    this.#counted = undefined
    this.#isAny = true
    const covered = coverQuery(telling)
    const [most, first] =
      telling.length === 0 ? [] : await Promise.all([best(covered), best(anyQuery(telling))])
    if (!most || !first) return
    const enough = { function_score: { query: covered, min_score: need(most.score) } }
    this.#counted = { bool: { should: [enough, { ids: { values: [first.id] } }], minimum_should_match: 1 } }
    this.#offer(Tier.someWords, { bool: { must: anyQuery(clauses), filter: this.#counted } })
  }

  /** Returns the names of searched documents that stand in the text. */
  async #namesWithin(): Promise<readonly NameWithin[]> {
    if (this.#names) return this.#names
    const runs = runsWithin(this.#text.text, this.#text.words, this.#context.vocabulary)
    const holding = await this.#context.counts(runs.map(({ term }) => nameQuery(term)))
    this.#names = namesAmong(runs, (_, at) => holding[at] ?? 0)
    return this.#names
  }

  /** Adds a level for one kind of match. */
  #offer(tier: number, query: EngineQuery): void {
    const compared = this.#text.loose && !isOfName(tier) ? Tier.someWords : tier
    this.#levels.push({ tierScore: compared * TIER_SCORE, query })
  }
}
