/** Documents that a search counts, as clauses that select them. */
import type { TypeRange } from '../format/segment-head.ts'
import type { Clause } from './clauses.ts'
import { Counts } from './counts.ts'
import type { CoverClause } from './cover.ts'
import { type Covered, coveredDocuments } from './covered.ts'
import type { Deadline } from './deadline.ts'
import { documentsOfAll } from './list-documents.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import type { Hit } from './top-k.ts'

/** Functions that read the lists of clauses. */
export interface Lists {
  of(segment: Segment, clause: Clause): PostingsIterator | undefined
  ofAll(segment: Segment, clauses: readonly Clause[]): PostingsIterator[] | undefined
}

/** Documents that clauses select, and further hits. */
export class Counted {
  readonly counts = new Counts()
  readonly #lists: Lists
  readonly #clauses: readonly (Clause & Partial<CoverClause>)[]
  readonly #need: number | undefined
  readonly #further: Hit[] = []

  /** Selects the documents that match all clauses or, if `need` is given, have such a cover. */
  constructor(lists: Lists, clauses: readonly (Clause & Partial<CoverClause>)[], need?: number) {
    this.#lists = lists
    this.#clauses = clauses
    this.#need = need
  }

  /** Returns the lists of all clauses in a segment. */
  covered(segment: Segment, ranges: readonly TypeRange[]): Covered {
    const lists = this.#clauses.flatMap((clause) => {
      const list = this.#lists.of(segment, clause)
      if (list) list.cover = clause.cover ?? 0
      return list ?? []
    })
    return { segment, ranges, lists }
  }

  /** Counts the hits that have not been counted yet. */
  add(hits: readonly Hit[]): void {
    for (const [segment, some] of Map.groupBy(hits, (hit) => hit.segment)) {
      const { lists } = this.covered(segment, [])
      const known = new Set(this.#further.filter((hit) => hit.segment === segment).map((hit) => hit.document))
      for (const hit of some.toSorted((left, right) => left.document - right.document)) {
        const holding = lists.filter((list) => list.seek(hit.document) === hit.document)
        const cover = holding.reduce((sum, list) => sum + list.cover, 0)
        const isSelected =
          this.#need === undefined ? holding.length === this.#clauses.length : cover >= this.#need
        if (isSelected || known.has(hit.document)) continue
        known.add(hit.document)
        this.counts.add(segment.typeOf(hit.document), 1)
        this.#further.push(hit)
      }
    }
  }

  /** Returns a bitmap of all counted documents in a segment. */
  documentsIn(segment: Segment, deadline: Deadline): Uint8Array {
    const bits =
      this.#need === undefined
        ? documentsOfAll(segment, this.#lists.ofAll(segment, this.#clauses) ?? [], deadline)
        : coveredDocuments(this.covered(segment, segment.head.types), this.#need, deadline).bits
    for (const hit of this.#further)
      if (hit.segment === segment) (bits[hit.document >>> 3] as number) |= 1 << (hit.document & 7)
    return bits
  }
}
