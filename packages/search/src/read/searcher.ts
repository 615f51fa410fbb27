import type { TypeRange } from '../format/segment-head.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import { nameParts, normalizedName } from '../text/names.ts'
import {
  type Clause,
  type Expansion,
  type Expansions,
  endingExpansions,
  isCommon,
  joined,
  mayGoOn,
  prefixExpansions,
  someExpansions,
} from './clauses.ts'
import { Counted, type Lists } from './counted.ts'
import { Counts, counter, countList, countMarked, MAX_UNION_POSTINGS } from './counts.ts'
import { bestCover, bestScored, coveredDocuments } from './covered.ts'
import { Deadline } from './deadline.ts'
import { guessesFor } from './guesses.ts'
import { matchAll, matchAny, matchOne, matchTogether, type Scope } from './match.ts'
import { Matched } from './matched.ts'
import { type NameWithin, namesAmong, runsWithin } from './names-within.ts'
import { occursInAny } from './occurs.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { SearchContext } from './query-context.ts'
import { correctedNames, matchNamed, nameClause } from './query-names.ts'
import { QueryPlan } from './query-plan.ts'
import { QueryText } from './query-text.ts'
import { rankedResult } from './ranked-result.ts'
import { respaced, segmentsToSplitBy } from './respacing.ts'
import type { Segment } from './segment.ts'
import { ENOUGH, isOfName, TIER_SCORE, Tier, tierOfBeginning, tierOfCorrectedName } from './tiers.ts'
import { type Hit, TopK } from './top-k.ts'
import { postingsOf, postingsOfAll } from './union.ts'
import { type SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** Maximum fraction of the remaining time spent on guesses. */
const GUESSED = 1 / 2

/** Answers one query from segments with `documents` live documents: decides what to search for, and in which order. */
export class Searcher {
  readonly #segments: readonly { readonly segment: Segment; readonly ranges: readonly TypeRange[] }[]
  readonly #documents: number
  readonly #query: Query
  readonly #text: QueryText
  readonly #plan: QueryPlan
  readonly #deadline: Deadline
  readonly #vocabulary: Vocabulary
  readonly #top: TopK
  readonly #matched = new Matched()
  readonly #lists: Lists = {
    of: (segment, clause) => this.#postings(segment, clause),
    ofAll: (segment, clauses) => (clauses.length > 0 ? this.#listsOfAll(segment, clauses) : undefined),
  }
  #counted = new Counted(this.#lists, [])
  /** Expansions of the last search for documents that hold all telling words. */
  #whole: Expansions = []

  constructor(
    segments: readonly Segment[],
    documents: number,
    query: Query,
    { synonyms, superlative, plan }: SearchContext,
  ) {
    const { types, text = '', limit } = query
    // The largest segment goes first, because its hits rule out most documents of the others.
    this.#segments = [...segments]
      .sort((left, right) => right.head.documents - left.head.documents)
      .map((segment) => ({
        segment,
        ranges: types ? segment.head.types.filter(({ type }) => types.includes(type)) : segment.head.types,
      }))
    this.#documents = documents
    this.#query = query
    this.#plan = plan ?? new QueryPlan(new Deadline(query.budgetMs, query.signal))
    this.#deadline = this.#plan.deadline
    this.#vocabulary = new Vocabulary(segments, this.#deadline)
    const index = segmentsToSplitBy(segments, this.#vocabulary, synonyms, this.#deadline)
    const spaced = this.#plan.text(() => respaced(text, index))
    this.#text = new QueryText(spaced, { vocabulary: this.#vocabulary, documents, synonyms, superlative })
    // Documents with all words must be kept, so that they are not counted again among those with some words. One hit more
    // than the limit shows whether there are more. To omit the hits before a position, all hits must be kept.
    const wanted = query.after ? Number.MAX_SAFE_INTEGER : limit + 1
    this.#top = new TopK(Math.max(this.#text.words.length > 1 ? ENOUGH : 1, wanted))
  }

  /** Searches for better kinds of matches first, and for worse kinds as long as there are few. */
  run(): Result<ScoredKey> {
    const { words, one, loose, wordy } = this.#text
    const exact = this.#text.exact()
    const named = this.#matchNames(this.#text.clauses(exact))
    const whole = this.#matchAll(exact, Tier.allWords)
    let certain: Expansions = exact
    if (this.#wantsMore(mayGoOn(this.#query, words, this.#vocabulary)))
      certain = this.#matchMore(certain, prefixExpansions, Tier.prefix)
    if (this.#wantsMore(whole === 0 || one)) certain = this.#matchMore(certain, endingExpansions, Tier.ending)
    const all = this.#wantsMore(whole === 0) ? this.#matchGuesses(exact, certain) : certain
    if (loose && wordy) this.#rankWhole()
    if (this.#plan.step(() => this.#counted.counts.total < (one ? 1 : ENOUGH)))
      this.#matchSome([exact, certain, all])
    this.#counted.add(named)
    return this.#result()
  }

  /** Returns the best documents, up to one more than the limit. */
  hits(): readonly Hit[] {
    return this.#top.hits()
  }

  /** Returns a bitmap of all documents in a segment that the result counts. */
  documentsIn(segment: Segment): Uint8Array {
    return this.#counted.documentsIn(segment, this.#deadline)
  }

  /** Decides whether to search for worse matches at the next step, which requires `condition` and few matches so far. */
  #wantsMore(condition = true): boolean {
    return this.#plan.step(() => condition && this.#counted.counts.total < ENOUGH)
  }

  /** Offers `#top` the documents that have the query as a name, and returns those that do not hold all words. */
  #matchNames(clauses: readonly Clause[]): Hit[] {
    const text = this.#text.text.trim().normalize('NFC')
    const name = normalizedName(text)
    const byNameAlone: Hit[] = []
    if (name === '') return byNameAlone
    for (const { segment, ranges } of this.#segments) {
      const names = this.#postings(segment, nameClause([name]))
      if (!names) continue
      const lists = clauses.flatMap((clause) => this.#postings(segment, clause) ?? [])
      for (const { hit, held } of matchNamed(this.#scope(segment, ranges, 0), names, lists, text))
        if (held < clauses.length) byNameAlone.push(hit)
    }
    return byNameAlone
  }

  /** Searches with additional expansions of the words. Returns the known expansions joined with the additional ones. */
  #matchMore(known: Expansions, more: typeof prefixExpansions, tier: number): Expansions {
    const found = this.#text.words.map((word) => more(word, this.#vocabulary))
    if (found.every((each) => each.length === 0)) return known
    const expansions = joined(known, found)
    this.#matchAll(expansions, tier)
    return expansions
  }

  /** Searches for other spellings and forms. Returns `certain`, joined with the guesses if there was enough time. */
  #matchGuesses(exact: Expansions, certain: Expansions): Expansions {
    let all = certain
    const isCut = this.#deadline.within(GUESSED, () => {
      const guesses = guessesFor(this.#text.words, exact, this.#vocabulary)
      if (!guesses) return
      all = joined(certain, guesses.expansions)
      this.#matchCorrectedNames(all, guesses.candidates)
      this.#matchAll(all, Tier.correctedWords)
    })
    return isCut ? certain : all
  }

  /** Offers `#top` the documents that match every word and have a name made of spelling candidates. */
  #matchCorrectedNames(expansions: Expansions, candidates: readonly (readonly SpellingCandidate[])[]): void {
    const clauses = this.#text.tellingClauses(expansions)
    if (!clauses) return
    const words = this.#text.words.map(({ token }) => token.text)
    const names = correctedNames(nameParts(this.#text.text), words, candidates)
    for (const { segment, ranges } of this.#segments) {
      let lists: PostingsIterator[] | undefined
      for (const [edits, same] of names.entries()) {
        // Documents whose names need no edits have already been found by name.
        const named = edits > 0 && this.#postings(segment, { ...nameClause(same), weight: 0 })
        if (named) lists ??= this.#listsOfAll(segment, clauses)
        if (!named || !lists) continue
        matchTogether(this.#scope(segment, ranges, tierOfCorrectedName(edits)), named, lists)
      }
    }
  }

  /** Offers `#top` the documents that contain an expansion of every telling word, and returns how many there are. */
  #matchAll(expansions: Expansions, tier: number): number {
    const clauses = this.#text.tellingClauses(expansions)
    if (!clauses) return 0
    this.#counted = new Counted(this.#lists, clauses)
    const { counts } = this.#counted
    for (const { segment, ranges } of this.#segments) {
      const lists = this.#listsOfAll(segment, clauses)
      if (!lists) continue
      const [only] = lists
      const scope = this.#scope(segment, ranges, tier)
      const begun = tier >= Tier.prefix && this.#postings(segment, { ...this.#text.beginning, weight: 0 })
      if (begun) {
        const better = this.#scope(segment, ranges, tierOfBeginning(tier, this.#text.words.length))
        matchTogether(better, begun, lists)
      }
      if (only && lists.length === 1) {
        countList(counts, segment, ranges, only, this.#deadline)
        matchOne(scope, only)
      } else matchAll(scope, lists, counter(counts))
    }
    if (counts.total === 0) return 0
    this.#whole = expansions
    this.#matched.note(clauses.map((clause) => clause.expansions))
    return counts.total
  }

  /** Ranks the documents that hold all telling words by the other words and the names in the text, too. */
  #rankWhole(): void {
    if (this.#whole.length === 0) return
    const { clauses, all } = this.#text.topic(this.#whole, this.#names(), true)
    const read = new Counted(this.#lists, clauses)
    for (const { segment, ranges } of this.#segments)
      matchAny(this.#scope(segment, ranges, Tier.someWords), read.covered(segment, ranges).lists, all)
  }

  /** Offers `#top` the documents that hold enough words. Each word is expanded by the first of `kinds` that can expand it. */
  #matchSome(kinds: readonly Expansions[]): void {
    const expansions = someExpansions(this.#text.words, kinds, this.#vocabulary)
    const { clauses, need: needOf } = this.#text.topic(expansions, this.#names(), false)
    this.#matched.note(clauses.filter(({ cover }) => cover > 0).map((clause) => clause.expansions))
    const read = new Counted(this.#lists, clauses)
    const covered = this.#segments.map(({ segment, ranges }) => read.covered(segment, ranges))
    const need = this.#plan.need(() => needOf(bestCover(covered, this.#deadline)))
    const best = this.#plan.best(() => bestScored(covered, this.#deadline))
    const better = this.#top.hits().filter(({ score }) => score < Tier.alias * TIER_SCORE)
    this.#counted = new Counted(this.#lists, clauses, need)
    const { counts } = this.#counted
    let left = MAX_UNION_POSTINGS
    for (const each of covered) {
      const { segment, ranges, lists } = each
      const { bits, count } = coveredDocuments(each, need, this.#deadline, left)
      left -= count
      countMarked(counts, segment, ranges, bits)
      matchAny(this.#scope(segment, ranges, Tier.someWords), lists, need)
      if (best?.segment.id !== segment.id || segment.isDeleted(best.document)) continue
      this.#top.offer(best.score, segment, best.document)
      better.push({ ...best, segment })
    }
    if (left <= 0) counts.exact = false
    this.#counted.add(better)
  }

  /** Returns the names of searched documents that stand in the text. */
  #names(): readonly NameWithin[] {
    return this.#plan.names(() => {
      const runs = runsWithin(this.#text.text, this.#text.words, this.#vocabulary)
      return namesAmong(runs, ({ term }) => (this.#vocabulary.count(term) > 0 ? this.#holding(term) : 0))
    })
  }

  /** Returns the number of searched documents that contain a term. */
  #holding(term: string): number {
    const counts = new Counts()
    for (const { segment, ranges } of this.#segments) {
      const list = this.#postings(segment, { expansions: [{ term, boost: 1 }], weight: 1 })
      if (list) countList(counts, segment, ranges, list, this.#deadline)
    }
    return counts.total
  }

  #result(): Result<ScoredKey> {
    const matched = this.#matched.terms(
      (expansion) => this.#occurs(expansion),
      (expansion) => isCommon(expansion, this.#vocabulary, this.#documents),
    )
    return rankedResult(this.#query, this.#top, this.#counted.counts, {
      partial: this.#deadline.leftOut,
      matched,
    })
  }

  /** Reports whether any searched document contains an expansion. Always true for a single term if all are searched. */
  #occurs(expansion: Expansion): boolean {
    if (!this.#query.types && !this.#query.where && !expansion.and) return true
    const clause = { expansions: [expansion], weight: 1 }
    return occursInAny(this.#segments, (segment) => this.#postings(segment, clause))
  }

  #scope(segment: Segment, ranges: readonly TypeRange[], tier: number): Scope {
    const compared = this.#text.loose && !isOfName(tier) ? Tier.someWords : tier
    return { segment, ranges, top: this.#top, tierScore: compared * TIER_SCORE, deadline: this.#deadline }
  }

  #postings(segment: Segment, clause: Clause, within?: PostingsIterator): PostingsIterator | undefined {
    return postingsOf(segment, clause, this.#vocabulary, this.#deadline, within)
  }

  #listsOfAll(segment: Segment, clauses: readonly Clause[]): PostingsIterator[] | undefined {
    return postingsOfAll(segment, clauses, this.#vocabulary, this.#deadline)
  }
}
