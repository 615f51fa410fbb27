/** Names of documents on their way into a segment: sorted as numbers, since hardly two of them are the same. */

import { grown, LOW_HALF } from '../format/bytes.ts'
import { sortPostings } from '../format/postings.ts'
import type { SegmentWriter } from '../format/segment-writer.ts'
import { NAME_HASH_BITS, NAME_KEY_BYTES, writeNameKey } from '../text/names.ts'
import type { Names } from './analyser.ts'

/** Bits of a name's place in a sort key, beside its hash. */
const PLACE_BITS = 64 - NAME_HASH_BITS
/** Bits of the hash in the lower half of a sort key. */
const LOW_HASH = 2 ** (32 - PLACE_BITS)
/** Owners from here on are documents that were removed. */
const REMOVED = 2 ** 31

/** Collects names and writes them as terms, whose impacts are ranks. */
export class NamePostings {
  #hashes = new Float64Array(64)
  /** What a name belongs to: a document in the order they came, or a removed one. */
  #owners = new Uint32Array(64)
  #ranks = new Uint8Array(64)
  #count = 0
  #removed = REMOVED

  /** Notes the names of a document. */
  add({ hashes, ranks }: Names, document: number): void {
    for (let at = 0; at < hashes.length; at++) {
      if (this.#count === this.#hashes.length) this.#grow()
      this.#hashes[this.#count] = hashes[at] as number
      this.#owners[this.#count] = document
      this.#ranks[this.#count++] = ranks[at] as number
    }
  }

  /** Notes that a document of an older segment has these names no more. */
  remove(names: Names): void {
    this.add(names, this.#removed++)
  }

  /** Writes the terms. `numbers`: of each document, its number in the segment. */
  write(writer: SegmentWriter, numbers: Uint32Array): void {
    const order = this.#sorted()
    const key = new Uint8Array(NAME_KEY_BYTES)
    let documents = new Uint32Array(16)
    let ranks = new Uint8Array(16)
    for (let at = 0; at < order.length; ) {
      const hash = this.#hashes[order[at] as number] as number
      let used = 0
      let removed = 0
      let before = -1
      for (; at < order.length && this.#hashes[order[at] as number] === hash; at++) {
        const owner = this.#owners[order[at] as number] as number
        const again = owner === before
        before = owner
        if (owner >= REMOVED) {
          if (!again) removed += 1
          continue
        }
        if (used === documents.length) {
          documents = grown(documents, Uint32Array)
          ranks = grown(ranks, Uint8Array)
        }
        if (!again) documents[used++] = numbers[owner] as number
        ranks[used - 1] = this.#ranks[order[at] as number] as number
      }
      sortPostings(documents, ranks, used)
      writeNameKey(hash, key)
      writer.term(key, NAME_KEY_BYTES, documents, ranks, 0, used, -removed)
    }
  }

  /** The names by their hashes, those of one hash as they came. */
  #sorted(): Uint32Array {
    const keys = new BigUint64Array(this.#count)
    const halves = new Uint32Array(keys.buffer)
    for (let at = 0; at < this.#count; at++) {
      const hash = this.#hashes[at] as number
      halves[2 * at + LOW_HALF] = (hash % LOW_HASH) * 2 ** PLACE_BITS + at
      halves[2 * at + 1 - LOW_HALF] = Math.floor(hash / LOW_HASH)
    }
    keys.sort()
    return Uint32Array.from(
      { length: this.#count },
      (_, at) => (halves[2 * at + LOW_HALF] as number) % 2 ** PLACE_BITS,
    )
  }

  #grow(): void {
    this.#hashes = grown(this.#hashes, Float64Array)
    this.#owners = grown(this.#owners, Uint32Array)
    this.#ranks = grown(this.#ranks, Uint8Array)
  }
}
