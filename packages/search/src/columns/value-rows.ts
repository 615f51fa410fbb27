/** The values file of a segment. It consists of blocks, each within one row, and spans, which may cross rows. */
import { ByteWriter } from '../format/byte-io.ts'
import { IndexDamage } from '../port/index-damage.ts'
import { ROW_BYTES } from '../port/segment-store.ts'

/** Reads one row of the values file. */
export type ReadRow = (row: number) => Uint8Array

/** Writes the values file sequentially. Positions are byte offsets in the file. */
export class ValueRows {
  /** Receives the bytes of the block reserved by `begin`. */
  readonly row = new ByteWriter()
  readonly #emit: (row: number, bytes: Uint8Array) => void
  #rows = 0

  constructor(emit: (row: number, bytes: Uint8Array) => void) {
    this.#emit = emit
  }

  /** Reserves up to `room` bytes in one row for a block, and returns its position, a multiple of `alignment`. */
  begin(room: number, alignment: number): number {
    while (this.row.length % alignment !== 0) this.row.byte(0)
    if (this.row.length + room > ROW_BYTES) this.#flush()
    return this.#rows * ROW_BYTES + this.row.length
  }

  /** Writes bytes that may cross rows and returns their position. */
  span({ bytes, length }: ByteWriter): number {
    if (this.row.length >= ROW_BYTES) this.#flush()
    const place = this.#rows * ROW_BYTES + this.row.length
    for (let at = 0; at < length; ) {
      const room = Math.min(length - at, ROW_BYTES - this.row.length)
      this.row.copy(bytes, at, at + room)
      at += room
      if (this.row.length >= ROW_BYTES) this.#flush()
    }
    return place
  }

  /** Writes the last row. */
  end(): void {
    if (this.row.length > 0) this.#flush()
  }

  #flush(): void {
    this.#emit(this.#rows, this.row.toBytes())
    this.#rows += 1
    this.row.length = 0
  }
}

/** Returns the bytes of a span. @throws IndexDamage */
export function spanOf(read: ReadRow, place: number, length: number): Uint8Array {
  const row = Math.floor(place / ROW_BYTES)
  const offset = place % ROW_BYTES
  if (offset + length <= ROW_BYTES) return blockOf(read, place, length)
  const joined: Uint8Array[] = [read(row).subarray(offset)]
  for (let left = length - (ROW_BYTES - offset), next = row + 1; left > 0; next++, left -= ROW_BYTES)
    joined.push(read(next).subarray(0, left))
  const bytes = Buffer.concat(joined)
  if (bytes.length !== length) throw notWhatWasWritten()
  return bytes
}

/** Returns the bytes of a block without copying them. @throws IndexDamage */
export function blockOf(read: ReadRow, place: number, length: number): Uint8Array {
  const offset = place % ROW_BYTES
  const bytes = read(Math.floor(place / ROW_BYTES)).subarray(offset, offset + length)
  if (bytes.length !== length) throw notWhatWasWritten()
  return bytes
}

/** Returns the error to throw for impossible bytes in a column. */
export function notWhatWasWritten(): IndexDamage {
  return new IndexDamage('A column of the search index is not what was written.')
}
