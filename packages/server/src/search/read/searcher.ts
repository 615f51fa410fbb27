/** Answering a question: which kinds of matches are looked for, in which order, and what each is worth. */

import type { TypeRange } from '../format/segment-head.ts'
import { ENOUGH, type Query, type Result, type ScoredKey, Tier } from '../port/query.ts'
import { NameKind, nameParts, normalizedName } from '../text/names.ts'
import {
  beginningReadings,
  type Clause,
  clauseOf,
  guessesFor,
  guessReadings,
  type Reading,
  type Word,
  wholeReadings,
  wordsOf,
} from './clauses.ts'
import { Counts, countList, countUnion } from './counts.ts'
import { Budget } from './deadline.ts'
import { matchAll, matchOne, matchSome } from './match.ts'
import { guessedNames, nameClause, tierOfName } from './name-matches.ts'
import type { Cursor } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import { type Hit, Top } from './top-k.ts'
import { cursorOf } from './union.ts'
import { type Guess, Vocabulary } from './vocabulary.ts'

/** One tier is worth more than any score. */
const TIER = 2 ** 40
/** Documents that match all of several words are counted one by one up to this many. */
const COUNTED = 10_000
/** Postings of several words of which any may match that are gone through for their number. */
const UNION_COUNTED = 200_000

/** Answers a query from segments. `documents`: how many live in all of them. */
export function answer(segments: readonly Segment[], documents: number, query: Query): Result<ScoredKey> {
  return new Search(segments, documents, query).run()
}

class Search {
  readonly #places: readonly { readonly segment: Segment; readonly ranges: readonly TypeRange[] }[]
  readonly #documents: number
  readonly #query: Query
  readonly #text: string
  readonly #budget: Budget
  readonly #vocabulary: Vocabulary
  readonly #words: readonly Word[]
  readonly #top: Top
  readonly #matched = new Set<string>()
  #counts = new Counts()
  /** What `#counts` counts: documents that hold all of these, or any. */
  #counted: { readonly clauses: readonly Clause[]; readonly any: boolean } = { clauses: [], any: true }

  constructor(segments: readonly Segment[], documents: number, query: Query) {
    const { types, text = '' } = query
    // The largest first: what it gives rules out most of what the others hold.
    this.#places = [...segments]
      .sort((left, right) => right.head.documents - left.head.documents)
      .map((segment) => ({
        segment,
        ranges: types ? segment.head.types.filter(({ type }) => types.includes(type)) : segment.head.types,
      }))
    this.#documents = documents
    this.#query = query
    this.#text = text
    this.#budget = new Budget(query.budgetMs, query.signal)
    this.#vocabulary = new Vocabulary(segments, this.#budget)
    this.#words = wordsOf(text)
    // Of several words, all that match better than some of them are to be told from those.
    this.#top = new Top(Math.max(this.#words.length > 1 ? ENOUGH : 1, query.limit))
  }

  run(): Result<ScoredKey> {
    const words = this.#words
    const whole = words.map((word) => wholeReadings(word, this.#vocabulary))
    const exact = this.#exactNames(this.#clauses(whole))
    const held = this.#all(whole, Tier.whole)
    let readings = whole
    if (this.#wanting) {
      const beginnings = words.map((word) => beginningReadings(word, this.#vocabulary))
      if (beginnings.some((found) => found.length > 0)) {
        readings = readings.map((found, at) => [...found, ...(beginnings[at] ?? [])])
        this.#all(readings, Tier.beginning)
      }
    }
    const sure = readings
    let guessed: readonly (readonly Guess[])[] = []
    if (held === 0 && this.#wanting) {
      // A word that the index holds may still be an error where it does not go with the others.
      guessed = words.map((word, at) =>
        words.length === 1 && whole[at]?.length ? [] : guessesFor(word, this.#vocabulary),
      )
      if (guessed.some((found) => found.length > 0)) {
        readings = readings.map((found, at) => [
          ...found,
          ...guessReadings(guessed[at] ?? [], this.#vocabulary),
        ])
        this.#guessedNames(
          readings,
          words.map(({ token }) => token.text),
          guessed,
        )
        this.#all(readings, Tier.guessed)
      }
    }
    if (this.#wanting && words.length > 1) {
      this.#some(words.map((_, at) => firstFilled(whole[at], sure[at], readings[at])))
    }
    this.#addUncounted(exact)
    return this.#answer()
  }

  /** Worse kinds of matches are worth looking for. */
  get #wanting(): boolean {
    return this.#counts.total < ENOUGH && !this.#budget.spent
  }

  #clauses(readings: readonly (readonly Reading[])[]): Clause[] {
    return readings.map((each) => clauseOf(each, this.#vocabulary, this.#documents))
  }

  /** Offers the documents of which the question is a name, and gives those it names by id alone. */
  #exactNames(clauses: readonly Clause[]): Hit[] {
    const text = this.#text.trim().normalize('NFC')
    const key = normalizedName(text)
    const found: Hit[] = []
    if (key === '') return found
    for (const { segment, ranges } of this.#places) {
      const names = this.#cursor(segment, nameClause([key]))
      if (!names) continue
      const words = clauses.flatMap((clause) => this.#cursor(segment, clause) ?? [])
      for (const { first, end } of ranges) {
        for (let document = names.seek(first); document < end; document = names.next()) {
          if (this.#budget.step()) return found
          if (segment.isDeleted(document)) continue
          const rank = names.score
          let score = tierOfName(rank, () => segment.key(document).id === text) * TIER
          let held = 0
          for (const cursor of words) {
            if (cursor.seek(document) !== document) continue
            score += cursor.score
            held += 1
          }
          this.#top.offer(score, segment, document)
          // What holds all words is counted with those that do.
          if (rank === NameKind.id && held < clauses.length) found.push({ score, segment, document })
        }
      }
    }
    return found
  }

  /** Offers and counts the documents that hold a reading of every word. Gives how many. */
  #all(readings: readonly (readonly Reading[])[], tier: number): number {
    if (readings.length === 0 || readings.some((each) => each.length === 0)) return 0
    this.#note(readings)
    const counts = new Counts()
    this.#counts = counts
    const clauses = this.#clauses(readings)
    this.#counted = { clauses, any: false }
    for (const { segment, ranges } of this.#places) {
      const cursors = this.#cursors(segment, clauses)
      if (!cursors) continue
      const [only] = cursors
      const task = this.#task(segment, ranges, tier)
      if (only && cursors.length === 1) {
        countList(counts, segment, ranges, only, this.#budget)
        matchOne(task, only)
      } else matchAll(task, cursors, counter(counts))
    }
    return counts.total
  }

  /** Offers the documents that hold a reading of every word and have a name that guessing gives. */
  #guessedNames(
    readings: readonly (readonly Reading[])[],
    words: readonly string[],
    guesses: readonly (readonly Guess[])[],
  ): void {
    if (readings.some((each) => each.length === 0)) return
    const names = guessedNames(nameParts(this.#text), words, guesses)
    const clauses = this.#clauses(readings)
    for (const { segment, ranges } of this.#places) {
      const named = this.#cursor(segment, { ...nameClause(names), weight: 0 })
      const cursors = named && this.#cursors(segment, clauses)
      if (!cursors) continue
      matchAll(this.#task(segment, ranges, Tier.guessedName), [named, ...cursors], undefined)
    }
  }

  /** Offers and counts the documents that hold a reading of any word. */
  #some(readings: readonly (readonly Reading[])[]): void {
    const clauses = this.#clauses(readings.filter((each) => each.length > 0))
    if (clauses.length === 0) return
    this.#counted = { clauses, any: true }
    this.#note(readings)
    const all = this.#top.hits()
    const counts = new Counts()
    let left = UNION_COUNTED
    for (const { segment, ranges } of this.#places) {
      const cursors = clauses.flatMap((clause) => this.#cursor(segment, clause) ?? [])
      const counted = countUnion(counts, segment, ranges, cursors, left, this.#budget)
      left = counted.left
      for (const hit of all) {
        if (hit.segment !== segment || hit.score >= Tier.alias * TIER) continue
        if (!counted.union.has(hit.document) && counts.exact) counts.add(segment.typeOf(hit.document), 1)
      }
      if (cursors.length > 0) matchSome(this.#task(segment, ranges, Tier.some), cursors)
    }
    this.#counts = counts.total >= this.#counts.total ? counts : this.#counts
    this.#counts.exact = counts.exact
  }

  /** Counts documents that only their id makes a match. */
  #addUncounted(exact: readonly Hit[]): void {
    const { clauses, any } = this.#counted
    for (const { segment, document } of exact) {
      const held = clauses.map((clause) => this.#cursor(segment, clause)?.seek(document) === document)
      const counted = any ? held.includes(true) : !held.includes(false)
      if (!counted) this.#counts.add(segment.typeOf(document), 1)
    }
  }

  #answer(): Result<ScoredKey> {
    const hits = this.#top.hits().slice(0, this.#query.limit)
    const partial = this.#budget.spent
    return {
      hits: hits.map(({ score, segment, document }) => ({ key: segment.key(document), score })),
      total: this.#counts.total,
      counts: this.#counts.perType(),
      totalIsLowerBound: !this.#counts.exact || partial,
      partial,
      matched: [...this.#matched].filter((term) => this.#occurs(term)).sort(),
    }
  }

  /** Whether a term occurs within the types asked for. Without any, it was counted already. */
  #occurs(term: string): boolean {
    if (!this.#query.types) return true
    const clause = { readings: [{ term, share: 1 }], weight: 1 }
    return this.#places.some(({ segment, ranges }) => {
      const cursor = this.#cursor(segment, clause)
      for (const { first, end } of cursor ? ranges : []) {
        for (let at = cursor?.seek(first) ?? end; at < end; at = cursor?.next() ?? end) {
          if (!segment.isDeleted(at)) return true
        }
      }
      return false
    })
  }

  #note(readings: readonly (readonly Reading[])[]): void {
    for (const { term } of readings.flat()) this.#matched.add(term)
  }

  #task(segment: Segment, ranges: readonly TypeRange[], tier: number) {
    return { segment, ranges, top: this.#top, tier: tier * TIER, budget: this.#budget }
  }

  #cursor(segment: Segment, clause: Clause): Cursor | undefined {
    return cursorOf(segment, clause, this.#vocabulary, this.#budget)
  }

  /** Cursors for all clauses; undefined where no document of the segment holds them all. */
  #cursors(segment: Segment, clauses: readonly Clause[]): Cursor[] | undefined {
    // The rarest first: often nothing more is needed, and of what follows only what goes with it.
    const ordered = clauses.map((clause) => ({ clause, held: this.#held(clause) }))
    ordered.sort((left, right) => left.held - right.held)
    const cursors: Cursor[] = []
    for (const { clause } of ordered) {
      const cursor = cursorOf(segment, clause, this.#vocabulary, this.#budget, cursors[0])
      if (!cursor) return undefined
      cursors.push(cursor)
    }
    return cursors
  }

  #held({ readings }: Clause): number {
    return readings.reduce((sum, { term }) => sum + this.#vocabulary.count(term), 0)
  }
}

function firstFilled(...candidates: readonly (readonly Reading[] | undefined)[]): readonly Reading[] {
  return candidates.find((readings) => readings && readings.length > 0) ?? []
}

function counter(counts: Counts): (type: string) => boolean {
  return (type) => {
    counts.add(type, 1)
    if (counts.total < COUNTED) return false
    counts.exact = false
    return true
  }
}
