/** The best documents so far. */
import { compareKeys, type DocumentKey } from '../port/document.ts'
import type { Segment } from './segment.ts'

/** A document that was found. */
export interface Hit {
  readonly score: number
  readonly segment: Segment
  readonly document: number
}

interface Kept extends Hit {
  /** Read when a tie across segments needs it. */
  key: DocumentKey | undefined
}

/**
 * Keeps the best hits: by score, then by type and id. Within a segment the order of keys is that of numbers; across
 * segments keys are compared.
 */
export class Top {
  readonly #capacity: number
  /** A heap whose root is the worst. */
  readonly #heap: Kept[] = []
  readonly #present = new Map<Segment, Set<number>>()
  #floor = -1
  #tieSegment: Segment | undefined
  #tieBefore = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Whether a document with this score, or a later one with none better, would be kept. */
  admits(score: number, segment: Segment, document: number): boolean {
    if (score !== this.#floor) return score > this.#floor
    return document < this.#boundary(segment)
  }

  /** Whether a document is kept already. */
  has(segment: Segment, document: number): boolean {
    return this.#present.get(segment)?.has(document) === true
  }

  /** Adds a document that is not kept already, if it is among the best. */
  offer(score: number, segment: Segment, document: number): void {
    if (!this.admits(score, segment, document)) return
    const hit = { score, segment, document, key: undefined }
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(hit)
      this.#up(this.#heap.length - 1)
    } else {
      const worst = this.#heap[0]
      if (!worst) return
      this.#present.get(worst.segment)?.delete(worst.document)
      this.#heap[0] = hit
      this.#down()
    }
    const present = this.#present.get(segment)
    if (present) present.add(document)
    else this.#present.set(segment, new Set([document]))
    if (this.#heap.length === this.#capacity) this.#floor = this.#heap[0]?.score ?? -1
    this.#tieSegment = undefined
  }

  /** All that are kept, best first. */
  hits(): Hit[] {
    return [...this.#heap].sort((left, right) => (this.#worse(left, right) ? 1 : -1))
  }

  /** The number below which a segment's documents come before the worst one kept. */
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

  #worse(left: Kept, right: Kept): boolean {
    if (left.score !== right.score) return left.score < right.score
    if (left.segment === right.segment) return left.document > right.document
    return compareKeys(keyOf(left), keyOf(right)) > 0
  }

  #up(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#worse(heap[at] as Kept, heap[above] as Kept)) return
      swap(heap, at, above)
      at = above
    }
  }

  #down(): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) return
      if (below + 1 < heap.length && this.#worse(heap[below + 1] as Kept, heap[below] as Kept)) below += 1
      if (!this.#worse(heap[below] as Kept, heap[at] as Kept)) return
      swap(heap, at, below)
      at = below
    }
  }
}

function keyOf(hit: Kept): DocumentKey {
  hit.key ??= hit.segment.key(hit.document)
  return hit.key
}

function swap(heap: Kept[], left: number, right: number): void {
  const kept = heap[left] as Kept
  heap[left] = heap[right] as Kept
  heap[right] = kept
}
