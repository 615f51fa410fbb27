import { grown, LOW_HALF } from '../format/byte-io.ts'
import { sortPostings } from '../format/postings.ts'
import { NAME_HASH_BITS, NAME_KEY_BYTES, writeNameKey } from '../text/names.ts'
import type { Names } from './analyser.ts'
import type { SegmentWriter } from './segment-writer.ts'

/** Number of sort key bits that contain the index of a name. The other bits contain the hash of the name. */
const PLACE_BITS = 64 - NAME_HASH_BITS
/** Modulus that selects the bits of a hash that belong in the lower half of a sort key. */
const LOW_HASH = 2 ** (32 - PLACE_BITS)
/** Smallest number in `#owners` that denotes a removed document. */
const REMOVED = 2 ** 31

/** Collects names and writes them as terms with `NameKind`s. Sorts their hashes, since hardly any two names are equal. */
export class NamePostings {
  #hashes = new Float64Array(64)
  /** For each name, the index of its document in insertion order, or a value >= `REMOVED` if the document was removed. */
  #owners = new Uint32Array(64)
  #kinds = new Uint8Array(64)
  #count = 0
  #removed = REMOVED

  /** Adds the names of a document. */
  add({ hashes, kinds }: Names, document: number): void {
    for (let at = 0; at < hashes.length; at++) {
      if (this.#count === this.#hashes.length) this.#grow()
      this.#hashes[this.#count] = hashes[at] as number
      this.#owners[this.#count] = document
      this.#kinds[this.#count++] = kinds[at] as number
    }
  }

  /** Subtracts the names of a document that is stored in an older segment. */
  remove(names: Names): void {
    this.add(names, this.#removed++)
  }

  /** Writes the terms. `numbers` maps the insertion index of each added document to its document number. */
  write(writer: SegmentWriter, numbers: Uint32Array): void {
    const order = this.#sorted()
    const key = new Uint8Array(NAME_KEY_BYTES)
    let documents = new Uint32Array(16)
    let kinds = new Uint8Array(16)
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
          kinds = grown(kinds, Uint8Array)
        }
        if (!again) documents[used++] = numbers[owner] as number
        kinds[used - 1] = this.#kinds[order[at] as number] as number
      }
      sortPostings(documents, kinds, used)
      writeNameKey(hash, key)
      writer.term(key, NAME_KEY_BYTES, documents, kinds, 0, used, -removed)
    }
  }

  /** Returns the indexes of the names in order of hash, then of insertion. */
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
    this.#kinds = grown(this.#kinds, Uint8Array)
  }
}
