/** Hashes of documents, by which a sample is ordered. */
import { hashOf, spread } from '../entry-hash.ts'
import { idOfKey, type TypeRange } from '../format/segment-head.ts'
import type { Segment } from './segment.ts'

/** Number of documents hashed at once. */
const BLOCK = 1024

/** Hashes of the documents of one type in a segment, computed block by block on first use. */
export class SampleHashes {
  readonly #segment: Segment
  readonly #range: TypeRange
  readonly #blocks: (Uint32Array | undefined)[] = []

  constructor(segment: Segment, range: TypeRange) {
    this.#segment = segment
    this.#range = range
  }

  /** Returns the hash of a document's type and id, an integer from 0 to 2³² − 1. */
  at(document: number): number {
    const block = Math.floor(document / BLOCK)
    const known = this.#blocks[block] ?? this.#hashed(block)
    this.#blocks[block] = known
    return known[document % BLOCK] as number
  }

  #hashed(block: number): Uint32Array {
    const { type, first, end } = this.#range
    const from = first + block * BLOCK
    const ofType = hashOf(Buffer.from(`${type} `))
    const documents = this.#segment.documentIterator()
    documents.seekOrdinal(from)
    return Uint32Array.from({ length: Math.min(BLOCK, end - from) }, () => {
      const hash = spread(hashOf(idOfKey(documents.key, documents.keyLength), ofType))
      documents.next()
      return hash
    })
  }
}
