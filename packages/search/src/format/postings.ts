/**
 * Posting lists contain the documents of a term, each with its impact, in blocks of 128 postings that do not cross rows:
 *
 *     block   := flags:u8 first further:varint* impact:u8*      first, further: steps from the previous document
 *     list    := block                                          up to 128 postings
 *              | block* skips                                   more
 *     skips   := (varint(last document step) varint(position step) max impact:u8)*   one per block
 *
 * If all further steps of a block are equal, their value is stored only once, and likewise for the impacts.
 */

import { IndexDamage } from '../port/index-damage.ts'
import { ROW_BYTES } from '../port/segment-store.ts'
import { ByteReader, ByteWriter } from './byte-io.ts'

/** Marks the end of a list. Greater than any document number. */
export const END = 0xffffffff
/** Maximum impact, which fits into one byte. */
export const MAX_IMPACT = 255
/** Number of postings per block, small enough for skipping to pay off and large enough to keep skip entries few. */
export const BLOCK = 128
/** Maximum block size in bytes, for the flags, 128 steps of five bytes, and 128 impacts. */
const BLOCK_ROOM = 1 + BLOCK * 6
/** Maximum size of a block's skip entry, in bytes. */
const SKIP_BYTES = 5 + 8 + 1
const SAME_STEPS = 1
const SAME_IMPACTS = 2

/** Position of a list. Points to the only block or, if there are several blocks, to the skips. */
export interface ListPlace {
  readonly position: number
  /** Length of the skips in bytes, or 0 for a single-block list. */
  readonly skipBytes: number
}

/** Writes posting lists one after another. */
export class PostingsWriter {
  readonly #row = new ByteWriter()
  readonly #skips = new ByteWriter()
  readonly #emit: (row: number, bytes: Uint8Array) => void
  #rows = 0

  constructor(emit: (row: number, bytes: Uint8Array) => void) {
    this.#emit = emit
  }

  /** Writes `count` postings from index `start` as one list. They must be in ascending document order. */
  list(documents: Uint32Array, impacts: Uint8Array, start: number, count: number): ListPlace {
    const end = start + count
    if (count <= BLOCK) return { position: this.#block(documents, impacts, start, end, -1), skipBytes: 0 }
    const skips = this.#skips
    skips.length = 0
    let last = -1
    let before = 0
    for (let from = start; from < end; from += BLOCK) {
      const to = Math.min(end, from + BLOCK)
      const position = this.#block(documents, impacts, from, to, last)
      const blockLast = documents[to - 1] as number
      skips.varint(blockLast - last)
      skips.varint(position - before)
      skips.byte(largest(impacts, from, to))
      last = blockLast
      before = position
    }
    return { position: this.#span(skips), skipBytes: skips.length }
  }

  /** Writes the last row. */
  end(): void {
    if (this.#row.length > 0) this.#flush()
  }

  #block(documents: Uint32Array, impacts: Uint8Array, from: number, to: number, before: number): number {
    if (this.#row.length + BLOCK_ROOM > ROW_BYTES) this.#flush()
    const row = this.#row
    const position = this.#rows * ROW_BYTES + row.length
    const sameSteps = to - from > 2 && stepsAreSame(documents, from, to)
    const sameImpacts = to - from > 1 && impactsAreSame(impacts, from, to)
    row.byte((sameSteps ? SAME_STEPS : 0) | (sameImpacts ? SAME_IMPACTS : 0))
    let last = before
    for (let at = from; at < (sameSteps ? from + 2 : to); at++) {
      row.varint((documents[at] as number) - last)
      last = documents[at] as number
    }
    if (sameImpacts) row.byte(impacts[from] as number)
    else row.copy(impacts, from, to)
    return position
  }

  /** Writes bytes, which may span several rows, and returns their position. */
  #span({ bytes, length }: ByteWriter): number {
    const position = this.#rows * ROW_BYTES + this.#row.length
    for (let at = 0; at < length; ) {
      const room = Math.min(length - at, ROW_BYTES - this.#row.length)
      this.#row.copy(bytes, at, at + room)
      at += room
      if (this.#row.length === ROW_BYTES) this.#flush()
    }
    return position
  }

  #flush(): void {
    this.#emit(this.#rows, this.#row.toBytes())
    this.#rows += 1
    this.#row.length = 0
  }
}

function stepsAreSame(documents: Uint32Array, from: number, to: number): boolean {
  const step = (documents[from + 1] as number) - (documents[from] as number)
  for (let at = from + 2; at < to; at++) {
    if ((documents[at] as number) - (documents[at - 1] as number) !== step) return false
  }
  return true
}

function impactsAreSame(impacts: Uint8Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (impacts[at] !== impacts[from]) return false
  return true
}

function largest(impacts: Uint8Array, from: number, to: number): number {
  let max = 0
  for (let at = from; at < to; at++) if ((impacts[at] as number) > max) max = impacts[at] as number
  return max
}

/** The postings file of a segment. */
export interface PostingRows {
  /** Number of documents in the segment. All document numbers in postings must be smaller. */
  readonly documents: number
  row(row: number): Uint8Array
}

/** Skips of a list, with the last document, position and largest impact of each block. */
export interface Skips {
  readonly lasts: Uint32Array
  readonly positions: Float64Array
  readonly maxima: Uint8Array
}

/** Reads the skips of a list of `count` postings, which spans more than one block. @throws IndexDamage */
export function readSkips(rows: PostingRows, { position, skipBytes }: ListPlace, count: number): Skips {
  const blocks = Math.ceil(count / BLOCK)
  if (count > rows.documents || skipBytes > blocks * SKIP_BYTES) throw impossible()
  const skips = {
    lasts: new Uint32Array(blocks),
    positions: new Float64Array(blocks),
    maxima: new Uint8Array(blocks),
  }
  const reader = new ByteReader(spanOf(rows, position, skipBytes))
  let last = -1
  let place = 0
  for (let block = 0; block < blocks; block++) {
    const step = reader.varint()
    last += step
    place += reader.varint()
    if (step === 0 || last >= rows.documents) throw impossible()
    skips.lasts[block] = last
    skips.positions[block] = place
    skips.maxima[block] = reader.byte()
  }
  if (reader.at !== skipBytes) throw impossible()
  return skips
}

function spanOf(rows: PostingRows, position: number, length: number): Uint8Array {
  const row = Math.floor(position / ROW_BYTES)
  const offset = position % ROW_BYTES
  if (offset + length <= ROW_BYTES) return rows.row(row).subarray(offset, offset + length)
  const joined = new Uint8Array(length)
  const first = rows.row(row).subarray(offset)
  joined.set(first)
  for (let at = first.length, next = row + 1; at < length; next++) {
    const part = rows.row(next).subarray(0, length - at)
    if (part.length === 0) throw impossible()
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/**
 * Reads a block of `count` postings into the arrays from index `into`. `before` is the document before the block, or -1.
 * @throws IndexDamage
 */
export function readBlock(
  rows: PostingRows,
  position: number,
  count: number,
  before: number,
  documents: Uint32Array,
  impacts: Uint8Array,
  into = 0,
): void {
  const bytes = rows.row(Math.floor(position / ROW_BYTES))
  let at = position % ROW_BYTES
  const flags = bytes[at++] as number
  const written = flags & SAME_STEPS ? 2 : count
  let document = before
  let step = 0
  for (let index = 0; index < written; index++) {
    step = bytes[at++] as number
    if (step >= 0x80) {
      let byte = bytes[at++] as number
      step = (step & 0x7f) | ((byte & 0x7f) << 7)
      for (let shift = 14; byte >= 0x80; shift += 7) {
        byte = bytes[at++] as number
        step |= (byte & 0x7f) << shift
      }
    }
    // Past the end of the row, `step` is undefined.
    if (!(step > 0)) throw impossible()
    document += step
    documents[into + index] = document
  }
  for (let index = written; index < count; index++) {
    document += step
    documents[into + index] = document
  }
  if (document >= rows.documents || at + (flags & SAME_IMPACTS ? 1 : count) > bytes.length) throw impossible()
  if (flags & SAME_IMPACTS) impacts.fill(bytes[at] as number, into, into + count)
  else for (let index = 0; index < count; index++) impacts[into + index] = bytes[at + index] as number
}

/** Reads a list of more than one posting into the arrays from index `into`. @throws IndexDamage */
export function readList(
  rows: PostingRows,
  place: ListPlace,
  count: number,
  documents: Uint32Array,
  impacts: Uint8Array,
  into: number,
): void {
  if (count <= BLOCK) {
    readBlock(rows, place.position, count, -1, documents, impacts, into)
    return
  }
  const { lasts, positions } = readSkips(rows, place, count)
  for (let block = 0; block < lasts.length; block++) {
    const from = block * BLOCK
    const before = block === 0 ? -1 : (lasts[block - 1] as number)
    const inBlock = Math.min(BLOCK, count - from)
    readBlock(rows, positions[block] as number, inBlock, before, documents, impacts, into + from)
    if (documents[into + from + inBlock - 1] !== lasts[block]) throw impossible()
  }
}

function impossible(): IndexDamage {
  return new IndexDamage('Postings of the search index are not what was written.')
}

/** Sorts the first `count` postings by document. Efficient for mostly sorted postings. */
export function sortPostings(documents: Uint32Array, impacts: Uint8Array, count: number): void {
  let at = 1
  while (at < count && (documents[at] as number) > (documents[at - 1] as number)) at += 1
  if (at >= count) return
  const pairs = new Float64Array(count)
  for (at = 0; at < count; at++) pairs[at] = (documents[at] as number) * 256 + (impacts[at] as number)
  pairs.sort()
  for (at = 0; at < count; at++) {
    const pair = pairs[at] as number
    documents[at] = Math.floor(pair / 256)
    impacts[at] = pair % 256
  }
}
