import type { SortPosition } from '../port/conditions.ts'
import { compareKeys, type DocumentKey } from '../port/document.ts'
import type { Segment } from './segment.ts'

/** A document found by a search. */
export interface Hit {
  readonly score: number
  readonly segment: Segment
  readonly document: number
}

interface Entry extends Hit {
  score: number
  /** Document key, read only if needed to break a tie across segments. */
  key: DocumentKey | undefined
}

/**
 * Keeps the best `capacity` hits by score, then by type and id. Within a segment, keys have the order of document numbers;
 * across segments, keys are compared.
 */
export class TopK {
  readonly #capacity: number
  /** Heap with the worst hit at the root. */
  readonly #heap: Entry[] = []
  readonly #present = new Map<Segment, Map<number, Entry>>()
  /** Score of the worst hit once there are `capacity` hits, or -1 before that. */
  #floor = -1
  #tieSegment: Segment | undefined
  #tieBefore = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Reports whether a document would be kept. If not, no later document of the segment with the same score would be. */
  admits(score: number, segment: Segment, document: number): boolean {
    if (score !== this.#floor) return score > this.#floor
    return document < this.#boundary(segment)
  }

  /** Adds a document if its score is good enough. A document that is already a hit keeps its better score. */
  offer(score: number, segment: Segment, document: number): void {
    const known = this.#present.get(segment)?.get(document)
    if (known) {
      if (score > known.score) this.#raise(known, score)
      return
    }
    if (!this.admits(score, segment, document)) return
    const entry: Entry = { score, segment, document, key: undefined }
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(entry)
      this.#up(this.#heap.length - 1)
    } else {
      const worst = this.#heap[0]
      if (!worst) return
      this.#present.get(worst.segment)?.delete(worst.document)
      this.#heap[0] = entry
      this.#down(0)
    }
    const present = this.#present.get(segment)
    if (present) present.set(document, entry)
    else this.#present.set(segment, new Map([[document, entry]]))
    this.#changed()
  }

  /** Returns the hits, best first. If `after` is given, returns only the hits after that position. */
  hits(after?: SortPosition): Hit[] {
    const kept = after ? this.#behind(after) : [...this.#heap]
    return kept.sort((left, right) => (this.#isWorse(left, right) ? 1 : -1))
  }

  #behind(after: SortPosition): Entry[] {
    const score = Number(after.values[0] ?? 0)
    const passed = new Map<Segment, number>()
    const passedIn = (segment: Segment): number => {
      const number = segment.find(after)
      const count = passed.get(segment) ?? (number < 0 ? segment.before(after) : number + 1)
      passed.set(segment, count)
      return count
    }
    return this.#heap.filter((entry) =>
      entry.score === score ? entry.document >= passedIn(entry.segment) : entry.score < score,
    )
  }

  #raise(entry: Entry, score: number): void {
    entry.score = score
    this.#down(this.#heap.indexOf(entry))
    this.#changed()
  }

  #changed(): void {
    if (this.#heap.length === this.#capacity) this.#floor = this.#heap[0]?.score ?? -1
    this.#tieSegment = undefined
  }

  /** Returns the document number below which documents of a segment win a tie with the worst hit. */
  #boundary(segment: Segment): number {
    const worst = this.#heap[0]
    if (!worst) return 0
    if (worst.segment === segment) return worst.document
    if (this.#tieSegment !== segment) {
      this.#tieSegment = segment
      this.#tieBefore = segment.before(keyOf(worst))
    }
    return this.#tieBefore
  }

  #isWorse(left: Entry, right: Entry): boolean {
    if (left.score !== right.score) return left.score < right.score
    if (left.segment === right.segment) return left.document > right.document
    return compareKeys(keyOf(left), keyOf(right)) > 0
  }

  #up(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#isWorse(heap[at] as Entry, heap[above] as Entry)) return
      swap(heap, at, above)
      at = above
    }
  }

  #down(from: number): void {
    const heap = this.#heap
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) return
      if (below + 1 < heap.length && this.#isWorse(heap[below + 1] as Entry, heap[below] as Entry)) below += 1
      if (!this.#isWorse(heap[below] as Entry, heap[at] as Entry)) return
      swap(heap, at, below)
      at = below
    }
  }
}

function keyOf(entry: Entry): DocumentKey {
  entry.key ??= entry.segment.key(entry.document)
  return entry.key
}

function swap(heap: Entry[], left: number, right: number): void {
  const entry = heap[left] as Entry
  heap[left] = heap[right] as Entry
  heap[right] = entry
}
