import type { Column } from '../columns/column.ts'
import { bisect } from '../format/bisect.ts'
import type { SortKey, SortPosition } from '../port/conditions.ts'
import { compareKeys } from '../port/document.ts'
import type { ScoredKey } from '../port/search-query.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentSet } from './document-set.ts'
import type { Matching } from './facets.ts'
import { presentIn } from './filter.ts'
import { First } from './first-of.ts'
import { before } from './ordinals.ts'
import {
  type Candidate,
  compareRanks,
  compareToValue,
  isDescending,
  keptValue,
  keyOf,
  rankOf,
  Source,
} from './ranks.ts'
import type { TypeDocuments } from './type-documents.ts'

/** Returns the score of a document for the query text. */
export type ScoreOf = (documents: TypeDocuments, document: number) => number

/** Finds the documents of a result that come first in a sort order. */
export class Order {
  readonly #sort: readonly SortKey[]
  readonly #after: SortPosition | undefined
  readonly #limit: number
  readonly #deadline: Deadline
  /** Scoring function. Undefined if relevance is not a sort key, since no document is scored then. */
  readonly #scoreOf: ScoreOf | undefined
  readonly #first: First<Candidate>

  /** Creates an order that keeps up to `limit` documents after the position `after`. A relevance key needs `scoreOf`. */
  constructor(
    sort: readonly SortKey[],
    after: SortPosition | undefined,
    limit: number,
    deadline: Deadline,
    scoreOf: ScoreOf = () => 0,
  ) {
    this.#sort = sort
    this.#after = after
    this.#limit = limit
    this.#first = new First(limit, (left, right) => this.#compare(left, right))
    this.#deadline = deadline
    this.#scoreOf = sort.some(({ by }) => by === 'relevance') ? scoreOf : undefined
  }

  /** Returns the first documents of the result in sort order. */
  first(matching: readonly Matching[]): ScoredKey[] {
    if (this.#limit === 0) return []
    for (const { documents, set } of matching) {
      if (this.#deadline.check()) break
      if (set.count > 0) this.#offerSome(new Source(documents, set, this.#sort))
    }
    return this.#first.items().map((candidate) => ({ key: keyOf(candidate), score: candidate.score }))
  }

  /** Returns the sort position of a document returned by `first`, given its index from 0. */
  positionOf(at: number): SortPosition {
    const candidate = this.#first.items()[at] as Candidate
    return {
      ...keyOf(candidate),
      values: this.#sort.map((key, place) => keptValue(key, rankOf(candidate, place))),
    }
  }

  /** Offers enough documents of `source` to include all that may be among the first. */
  #offerSome(source: Source): void {
    const { set } = source.matching
    const [key] = this.#sort
    if (key === undefined) {
      this.#offerInOrder(source, set, this.#limit, this.#after)
      return
    }
    const column = source.columns[0]
    if (key.by === 'value' && !column) {
      this.#offerMissing(source, set, this.#limit)
      return
    }
    // Walking by value also visits documents that do not match, so it pays off only if enough documents match.
    const steps = (this.#limit * set.size) / set.count
    if (key.by === 'value' && column && steps < set.count) this.#walk(source, column, key.descending)
    else this.#offerAll(source, set)
  }

  #offerAll(source: Source, set: DocumentSet): void {
    set.each((document) => {
      this.#offer(source, document)
      return !this.#deadline.step()
    })
  }

  /** Offers up to `count` documents that compare equal under all keys and follow a position. */
  #offerInOrder(source: Source, set: DocumentSet, count: number, after: SortPosition | undefined): void {
    let left = count
    set.each(
      (document) => {
        if (this.#offer(source, document)) left -= 1
        return left > 0 && !this.#deadline.step()
      },
      after ? source.firstAfter(after) : 0,
    )
  }

  /** Offers documents without a value for the first key. */
  #offerMissing(source: Source, set: DocumentSet, count: number): void {
    if (this.#sort.length > 1) this.#offerAll(source, set)
    else this.#offerInOrder(source, set, count, this.#after?.values[0] === null ? this.#after : undefined)
  }

  /** Walks the values in order until enough documents are found. With several sort keys, always finishes the last value. */
  #walk(source: Source, column: Column, descending: boolean): void {
    const { set } = source.matching
    const isOnly = this.#sort.length === 1
    let left = this.#limit
    const first = this.#firstOrdinal(column, descending) ?? -1
    for (let ordinal = first; ordinal >= 0 && ordinal < column.values; ordinal += descending ? -1 : 1) {
      const end = column.start(ordinal + 1)
      let at = column.start(ordinal)
      // Documents with the same value are in ascending order, so those before the requested position can be skipped.
      if (isOnly && ordinal === first && this.#after && this.#isAt(column, ordinal)) {
        const next = source.firstAfter(this.#after)
        at = bisect(at, end, (place) => column.sorted.at(place) < next)
      }
      for (; at < end; at++) {
        if (this.#deadline.step()) return
        const document = column.sorted.at(at)
        if (!set.has(document)) continue
        // If a document has several values, only the first one in sort order counts.
        if (column.isMultiple && source.ordinal(0, document) !== ordinal) continue
        if (this.#offer(source, document)) left -= 1
        if (isOnly && left <= 0) return
      }
      if (left <= 0) return
    }
    if (!column.isFull) this.#offerMissing(source, set.without(presentIn(column)), left)
  }

  /** Reports whether a value equals the one at the requested position. */
  #isAt(column: Column, ordinal: number): boolean {
    const value = this.#after?.values[0] ?? null
    return compareToValue({ column, value: ordinal }, value, this.#sort[0] as SortKey) === 0
  }

  /** Returns the first ordinal whose documents may follow the position. Undefined if only documents without a value may. */
  #firstOrdinal(column: Column, descending: boolean): number | undefined {
    const [key] = this.#sort
    const value = this.#after?.values[0]
    if (this.#after === undefined) return descending ? column.values - 1 : 0
    if (value === null || value === undefined) return undefined
    const operand = key?.by === 'value' && key.kind === 'instant' ? { instant: Number(value) } : value
    return descending ? before(column, operand, true) - 1 : before(column, operand, false)
  }

  /** Keeps a document if it may be among the first. Returns false if it is not after the requested position. */
  #offer(source: Source, document: number): boolean {
    const score = this.#scoreOf?.(source.matching.documents, document) ?? 0
    const candidate: Candidate = { source, document, score, ranks: [], key: undefined }
    if (this.#after && !this.#isAfter(candidate, this.#after)) return false
    this.#first.offer(candidate)
    return true
  }

  #compare(left: Candidate, right: Candidate): number {
    for (let at = 0; at < this.#sort.length; at++) {
      const isDown = isDescending(this.#sort[at] as SortKey)
      const order = compareRanks(rankOf(left, at), rankOf(right, at), isDown)
      if (order !== 0) return order
    }
    if (left.source === right.source) return left.document - right.document
    return compareKeys(keyOf(left), keyOf(right))
  }

  #isAfter(candidate: Candidate, position: SortPosition): boolean {
    for (const [at, key] of this.#sort.entries()) {
      const order = compareToValue(rankOf(candidate, at), position.values[at] ?? null, key)
      if (order !== 0) return order > 0
    }
    return candidate.document >= candidate.source.firstAfter(position)
  }
}
