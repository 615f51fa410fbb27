/** Iterates over a term's postings in a segment block by block. The largest impact of each block is known in advance. */
import {
  BLOCK,
  END,
  MAX_IMPACT,
  type PostingRows,
  readBlock,
  readSkips,
  type Skips,
} from '../format/postings.ts'
import { readEntryList, type TermEntry } from '../format/term-entry.ts'
import { IndexDamage } from '../port/index-damage.ts'

const NO_POSITIONS = new Float64Array(0)

/** In-memory postings in ascending order of documents. Only the first `count` array elements are valid. */
export interface PostingsList {
  readonly documents: Uint32Array
  readonly impacts: Uint8Array
  readonly count: number
}

/** A posting list with a current position. */
export class PostingsIterator {
  /** Number of postings in the list, including those of deleted documents. */
  readonly count: number
  /** Current document, -1 before the first one, or `END` after the last one. */
  document = -1
  /** Weight that a document gains in `cover.ts` by being in this list. */
  cover = 0
  /** Set to score documents by `cover` alone. */
  byCover = false
  /** Weight per unit of impact. Rarer words weigh more. */
  readonly #weight: number
  readonly #lasts: Uint32Array
  readonly #maxima: Uint8Array
  readonly #positions: Float64Array
  /** Rows from which blocks are read, or undefined if the whole list is in memory. */
  readonly #rows: PostingRows | undefined
  readonly #documents: Uint32Array
  readonly #impacts: Uint8Array
  #block = -1
  /** Block described by `blockMax` and `blockLast`: the current block or a later one. */
  #shallow = 0
  #at = 0
  #end = 0

  private constructor(weight: number, list: PostingsList, skips: Skips, rows?: PostingRows) {
    this.#weight = weight
    this.count = list.count
    this.#documents = list.documents
    this.#impacts = list.impacts
    this.#lasts = skips.lasts
    this.#maxima = skips.maxima
    this.#positions = skips.positions
    this.#rows = rows
  }

  /** Returns an iterator over the list of a term in a segment. */
  static ofTerm(rows: PostingRows, entry: TermEntry, weight: number): PostingsIterator {
    const count = entry.documents
    const size = Math.min(count, BLOCK)
    const list = { documents: new Uint32Array(size), impacts: new Uint8Array(size), count }
    if (count > BLOCK) return new PostingsIterator(weight, list, readSkips(rows, entry, count), rows)
    readEntryList(rows, entry, list.documents, list.impacts, 0)
    return PostingsIterator.ofList(list, weight)
  }

  /** Returns an iterator over postings in memory. */
  static ofList(list: PostingsList, weight: number): PostingsIterator {
    const { documents, impacts, count } = list
    const blocks = Math.ceil(count / BLOCK)
    const lasts = new Uint32Array(blocks)
    const maxima = new Uint8Array(blocks)
    for (let at = 0; at < count; at++) {
      const block = Math.floor(at / BLOCK)
      lasts[block] = documents[at] as number
      if ((impacts[at] as number) > (maxima[block] as number)) maxima[block] = impacts[at] as number
    }
    return new PostingsIterator(weight, list, { lasts, maxima, positions: NO_POSITIONS })
  }

  /** Score of the current document. */
  get score(): number {
    return this.byCover ? this.cover : this.#weight * (this.#impacts[this.#at] as number)
  }

  /** Moves to the next document and returns it. */
  next(): number {
    if (this.#at + 1 < this.#end) {
      this.#at += 1
      this.document = this.#documents[this.#at] as number
      return this.document
    }
    return this.#open(this.#block + 1)
  }

  /** Moves to the first document at or after `target` and returns it. Never moves backwards. */
  seek(target: number): number {
    if (this.document >= target) return this.document
    if (this.#block < 0 || (this.#lasts[this.#block] as number) < target) {
      const block = this.#blockOf(target)
      if (this.#open(block) >= target) return this.document
    }
    const documents = this.#documents
    let at = this.#at
    // The block contains a document at or after the target, so the search cannot run past the end.
    let width = 1
    while (at + width < this.#end && (documents[at + width] as number) < target) {
      at += width
      width *= 2
    }
    let high = Math.min(at + width, this.#end - 1)
    while (at + 1 < high) {
      const middle = (at + high) >>> 1
      if ((documents[middle] as number) < target) at = middle
      else high = middle
    }
    this.#at = (documents[at] as number) >= target ? at : high
    this.document = documents[this.#at] as number
    return this.document
  }

  /** Moves `blockMax` and `blockLast` to the block of the first document at or after `target`, without reading it. */
  advanceShallow(target: number): void {
    if (this.#shallow < this.#lasts.length && (this.#lasts[this.#shallow] as number) >= target) return
    this.#shallow = this.#blockOf(target)
  }

  /** Best score in the block to which `advanceShallow` moved, or 0 after the last block. */
  get blockMax(): number {
    if (this.#shallow >= this.#maxima.length) return 0
    return this.byCover ? this.cover : this.#weight * (this.#maxima[this.#shallow] as number)
  }

  /** Last document of the block to which `advanceShallow` moved, or `END` after the last block. */
  get blockLast(): number {
    return this.#shallow < this.#lasts.length ? (this.#lasts[this.#shallow] as number) : END
  }

  /** Returns the number of postings before a document, reading at most one block. Callers must `reset` afterwards. */
  countBefore(document: number): number {
    const block = lowerBound(this.#lasts, 0, this.#lasts.length, document)
    if (block === this.#lasts.length) return this.count
    this.#open(block)
    const base = this.#rows ? 0 : block * BLOCK
    const at = lowerBound(this.#documents, base, this.#end, document)
    return block * BLOCK + at - base
  }

  /** Returns the block numbers in descending order of their largest impacts. Ties keep their order. */
  blocksByImpact(): Uint32Array {
    const places = new Uint32Array(MAX_IMPACT + 2)
    for (const max of this.#maxima)
      places[MAX_IMPACT - max + 1] = (places[MAX_IMPACT - max + 1] as number) + 1
    for (let at = 1; at < places.length; at++)
      places[at] = (places[at] as number) + (places[at - 1] as number)
    const blocks = new Uint32Array(this.#maxima.length)
    for (let block = 0; block < blocks.length; block++) {
      const bucket = MAX_IMPACT - (this.#maxima[block] as number)
      blocks[places[bucket] as number] = block
      places[bucket] = (places[bucket] as number) + 1
    }
    return blocks
  }

  /** Returns the best score of a block and a lower bound on its document numbers. */
  boundsOf(block: number): { readonly best: number; readonly first: number } {
    const first = block === 0 ? 0 : (this.#lasts[block - 1] as number) + 1
    return { best: this.#weight * (this.#maxima[block] as number), first }
  }

  /** Calls `each` for every posting in `block`, which may be any block of the list. */
  forEachIn(block: number, each: (document: number, score: number) => void): void {
    this.#open(block)
    for (let at = this.#at; at < this.#end; at++) {
      each(this.#documents[at] as number, this.#weight * (this.#impacts[at] as number))
    }
  }

  /** Moves back to before the first document. */
  reset(): void {
    this.document = -1
    this.#block = -1
    this.#shallow = 0
    this.#at = 0
    this.#end = 0
  }

  #blockOf(target: number): number {
    // The next block is the most likely target.
    const from = Math.max(0, this.#block)
    const lasts = this.#lasts
    if (from + 1 < lasts.length && (lasts[from + 1] as number) >= target) {
      return (lasts[from] as number) >= target ? from : from + 1
    }
    return lowerBound(lasts, from, lasts.length, target)
  }

  /** Reads a block and moves to its first document. */
  #open(block: number): number {
    if (block >= this.#lasts.length) {
      this.#block = this.#lasts.length
      this.#at = 0
      this.#end = 0
      this.document = END
      return END
    }
    const from = block * BLOCK
    const count = Math.min(BLOCK, this.count - from)
    if (this.#rows) {
      const before = block === 0 ? -1 : (this.#lasts[block - 1] as number)
      const position = this.#positions[block] as number
      if (block !== this.#block) {
        readBlock(this.#rows, position, count, before, this.#documents, this.#impacts)
        if (this.#documents[count - 1] !== this.#lasts[block])
          throw new IndexDamage('Postings of the search index are not what their skips say.')
      }
      this.#at = 0
      this.#end = count
    } else {
      this.#at = from
      this.#end = from + count
    }
    this.#block = block
    if (this.#shallow < block) this.#shallow = block
    this.document = this.#documents[this.#at] as number
    return this.document
  }
}

/** Returns the index of the first number in `[low, high)` that is at least `target`, or `high` if there is none. */
export function lowerBound(numbers: Uint32Array, low: number, high: number, target: number): number {
  let from = low
  let to = high
  // The number sought is usually nearby, so the range is first narrowed in steps of growing size.
  for (let width = 1; from + width < high; width *= 2) {
    if ((numbers[from + width] as number) >= target) {
      to = from + width
      break
    }
    if (width > 1) from += width >> 1
  }
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((numbers[middle] as number) < target) from = middle + 1
    else to = middle
  }
  return from
}
