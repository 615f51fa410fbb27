import { TYPE_BYTES, type TypeRange } from '../format/segment-head.ts'
import type { Segment } from './segment.ts'

/** Number of documents hashed at once. */
const BLOCK = 1024

/** Returns the FNV-1a hash of `bytes[from, end)`. `hash` is the hash of the bytes before them. */
function hashOf(bytes: Uint8Array, from: number, end: number, hash: number): number {
  let bits = hash
  for (let at = from; at < end; at++) bits = Math.imul(bits ^ (bytes[at] as number), 0x01000193)
  return bits
}

/** Spreads an FNV-1a hash over all 32 bits as MurmurHash3 does, since those of sequential ids differ in few bits. */
function spread(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Hashes of the documents of one type in a segment, which order a sample; computed block by block on first use. */
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
    this.#blocks[block] ??= this.#hashed(block)
    return this.#blocks[block][document % BLOCK] as number
  }

  #hashed(block: number): Uint32Array {
    const { type, first, end } = this.#range
    const from = first + block * BLOCK
    const name = Buffer.from(`${type} `)
    const ofType = hashOf(name, 0, name.length, 0x811c9dc5)
    const documents = this.#segment.documentIterator()
    documents.seekOrdinal(from)
    const hashes = new Uint32Array(Math.min(BLOCK, end - from))
    for (let at = 0; at < hashes.length; at++, documents.next())
      hashes[at] = spread(hashOf(documents.key, TYPE_BYTES, documents.keyLength, ofType))
    return hashes
  }
}
