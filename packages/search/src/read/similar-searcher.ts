/** Finds documents that share the weightiest terms of a given document. */
import { MAX_IMPACT } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { DocumentTerm } from '../port/document.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import { type Clause, clauseOf } from './clauses.ts'
import { Counts, countUnion, MAX_UNION_POSTINGS } from './counts.ts'
import type { Deadline } from './deadline.ts'
import { documentsOfAny } from './list-documents.ts'
import { matchAny } from './match.ts'
import { occursInAny } from './occurs.ts'
import { rankedResult } from './ranked-result.ts'
import type { Segment } from './segment.ts'
import { type Hit, TopK } from './top-k.ts'
import { postingsOf } from './union.ts'
import { Vocabulary } from './vocabulary.ts'

/** Maximum number of terms that represent a document. Further terms weigh little but cost just as much. */
export const MAX_SIMILAR_TERMS = 25

/** Answers a query for documents similar to the one with these terms. The segments must omit that document. */
export class SimilarSearcher {
  readonly #segments: readonly { readonly segment: Segment; readonly ranges: readonly TypeRange[] }[]
  readonly #query: Query
  readonly #deadline: Deadline
  readonly #vocabulary: Vocabulary
  readonly #clauses: readonly Clause[]
  readonly #top: TopK

  constructor(
    segments: readonly Segment[],
    documents: number,
    { query, terms, deadline }: { query: Query; terms: readonly DocumentTerm[]; deadline: Deadline },
  ) {
    const { types, after, limit } = query
    this.#segments = segments.map((segment) => ({
      segment,
      ranges: types ? segment.head.types.filter(({ type }) => types.includes(type)) : segment.head.types,
    }))
    this.#query = query
    this.#deadline = deadline
    this.#vocabulary = new Vocabulary(segments, deadline)
    this.#clauses = similarClauses(terms, this.#vocabulary, documents)
    // One hit more than the limit shows whether there are more. To omit the hits before a position, all hits must be kept.
    this.#top = new TopK(after ? Number.MAX_SAFE_INTEGER : limit + 1)
  }

  /** Finds the documents that contain any of the terms. Those that share the weightiest terms rank first. */
  run(): Result<ScoredKey> {
    const counts = new Counts()
    let left = MAX_UNION_POSTINGS
    for (const { segment, ranges } of this.#segments) {
      const lists = this.#lists(segment)
      if (lists.length === 0) continue
      left = countUnion(counts, segment, ranges, lists, left, this.#deadline).left
      matchAny({ segment, ranges, top: this.#top, tierScore: 0, deadline: this.#deadline }, lists)
    }
    const matched = this.#clauses
      .filter((clause) => this.#occurs(clause))
      .flatMap(({ expansions }) => expansions.map(({ term }) => term))
      .sort()
    return rankedResult(this.#query, this.#top, counts, { partial: this.#deadline.passed, matched })
  }

  /** Returns the best documents, up to one more than the limit. */
  hits(): readonly Hit[] {
    return this.#top.hits()
  }

  /** Returns a bitmap of all matching documents in a segment. */
  documentsIn(segment: Segment): Uint8Array {
    return documentsOfAny(segment, this.#lists(segment), this.#deadline)
  }

  #occurs(clause: Clause): boolean {
    return occursInAny(this.#segments, (segment) =>
      postingsOf(segment, clause, this.#vocabulary, this.#deadline),
    )
  }

  #lists(segment: Segment) {
    return this.#clauses.flatMap(
      (clause) => postingsOf(segment, clause, this.#vocabulary, this.#deadline) ?? [],
    )
  }
}

/** Returns clauses for the terms with the greatest products of rarity and impact. Ignores terms unique to the document. */
export function similarClauses(
  terms: readonly DocumentTerm[],
  vocabulary: Vocabulary,
  documents: number,
): Clause[] {
  const clauses = terms
    .filter(({ term }) => vocabulary.count(term) > 1)
    .map(({ term, impact }) => {
      const clause = clauseOf([{ term, boost: 1 }], vocabulary, documents)
      return { ...clause, weight: clause.weight * impact }
    })
  // Ties keep the order of the terms, by impact and then by bytes.
  clauses.sort((left, right) => right.weight - left.weight)
  return clauses
    .slice(0, MAX_SIMILAR_TERMS)
    .map(({ expansions, weight }) => ({ expansions, weight: Math.max(1, Math.round(weight / MAX_IMPACT)) }))
}

/** Returns the segments after marking the document with key `key` as deleted, without changing the originals. */
export function withoutDocument(
  segments: readonly Segment[],
  key: { readonly type: string; readonly id: string },
): readonly Segment[] {
  return segments.map((segment) => {
    const document = segment.find(key)
    if (document < 0 || segment.isDeleted(document)) return segment
    const deleted = segment.deleted?.slice() ?? new Uint8Array((segment.head.documents + 7) >>> 3)
    deleted[document >>> 3] = (deleted[document >>> 3] as number) | (1 << (document & 7))
    return segment.without(deleted)
  })
}
