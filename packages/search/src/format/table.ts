/**
 * A sorted table of byte keys with small payloads, stored in rows. Within a row, a key shares its prefix with the previous
 * key, except at restarts, which can be read without the previous keys:
 *
 *     entry    := varint(shared bytes) varint(further bytes) bytes payload
 *     row      := entry* offset-of-restart:u16* restarts:u16
 */

import { IndexDamage } from '../port/index-damage.ts'
import { ROW_BYTES } from '../port/segment-store.ts'
import { bisect } from './bisect.ts'
import { ByteReader, ByteWriter, compareBytes } from './byte-io.ts'

/** Number of entries between restarts. Larger values save space, smaller ones save time. */
const RESTART_INTERVAL = 8
/** Number of entries scanned linearly before a binary search, since the wanted entry is usually nearby. */
const NEAR = 4
/** Number of bytes reserved for an entry and its restart. A key takes at most 1024 bytes and a payload at most 40. */
const ENTRY_ROOM = 1120

/** Maximum key length, in bytes. */
export const MAX_KEY_BYTES = 1024

/** Start of a row of a table. */
export interface RowStart {
  readonly key: Uint8Array
  /** Number of entries before the row. */
  readonly ordinal: number
}

/** Writes a table. Keys must arrive in ascending order. */
export class TableWriter {
  readonly starts: RowStart[] = []
  count = 0
  readonly #row = new ByteWriter()
  readonly #emit: (row: number, bytes: Uint8Array) => void
  #restarts: number[] = []
  #key = new Uint8Array(MAX_KEY_BYTES)
  #keyLength = 0
  #inRow = 0

  constructor(emit: (row: number, bytes: Uint8Array) => void) {
    this.#emit = emit
  }

  /** Adds a key and returns the writer for its payload, which must be written before the next key. */
  add(key: Uint8Array, length = key.length): ByteWriter {
    if (this.#row.length + 2 * this.#restarts.length > ROW_BYTES - ENTRY_ROOM) this.#flush()
    const row = this.#row
    let shared = 0
    if (this.#inRow % RESTART_INTERVAL === 0) {
      // The buffer is copied, because `slice` of a Buffer would share its memory.
      if (this.#inRow === 0)
        this.starts.push({ key: new Uint8Array(key.subarray(0, length)), ordinal: this.count })
      this.#restarts.push(row.length)
    } else {
      const common = Math.min(length, this.#keyLength)
      while (shared < common && key[shared] === this.#key[shared]) shared += 1
    }
    row.varint(shared)
    row.varint(length - shared)
    row.copy(key, shared, length)
    for (let at = shared; at < length; at++) this.#key[at] = key[at] as number
    this.#keyLength = length
    this.#inRow += 1
    this.count += 1
    return row
  }

  /** Writes the last row. */
  end(): void {
    if (this.#inRow > 0) this.#flush()
  }

  #flush(): void {
    const row = this.#row
    for (const offset of [...this.#restarts, this.#restarts.length]) {
      row.byte(offset & 0xff)
      row.byte(offset >>> 8)
    }
    this.#emit(this.starts.length - 1, row.toBytes())
    row.length = 0
    this.#restarts = []
    this.#inRow = 0
  }
}

/** Advances a reader from the start of an entry's payload to its end. */
export type SkipPayload = (reader: ByteReader) => void

/**
 * Iterates over a table's entries in order. Always terminates, even on damaged rows, because every entry consumes bytes of
 * its row and impossible content throws IndexDamage.
 */
export class TableIterator {
  /** Buffer whose first `keyLength` bytes are the current key. Overwritten when the iterator moves. */
  readonly key = new Uint8Array(MAX_KEY_BYTES)
  keyLength = 0
  /** Number of the current entry. */
  ordinal = -1
  /** Reader positioned at the current entry's payload, valid until the iterator moves. */
  readonly payload = new ByteReader(new Uint8Array(0))
  readonly #starts: readonly RowStart[]
  readonly #read: (row: number) => Uint8Array
  readonly #skip: SkipPayload
  #row = -1
  #restarts = 0
  #entriesEnd = 0
  #pending = false
  readonly #text = Buffer.from(this.key.buffer)

  constructor(starts: readonly RowStart[], read: (row: number) => Uint8Array, skip: SkipPayload) {
    this.#starts = starts
    this.#read = read
    this.#skip = skip
  }

  /** Returns the current key as text, starting at the byte index `start`. */
  text(start = 0): string {
    return this.#text.toString('utf8', start, this.keyLength)
  }

  /** Moves to the next entry. Returns false at the end. */
  next(): boolean {
    const reader = this.payload
    if (this.#pending) this.#skip(reader)
    if (reader.at >= this.#entriesEnd) {
      if (reader.at > this.#entriesEnd) throw impossible()
      const next = this.#starts[this.#row + 1]
      if (next === undefined) {
        this.#pending = false
        return false
      }
      if (next.ordinal !== this.ordinal + 1) throw impossible()
      this.#open(this.#row + 1)
    }
    const shared = reader.varint()
    const further = reader.varint()
    const { bytes } = reader
    const { key } = this
    let from = reader.at
    if (shared > this.keyLength || shared + further > MAX_KEY_BYTES || from + further > this.#entriesEnd)
      throw impossible()
    for (let at = shared; at < shared + further; at++) key[at] = bytes[from++] as number
    reader.at = from
    this.keyLength = shared + further
    this.ordinal += 1
    this.#pending = true
    return true
  }

  /** Moves to the first entry whose key is at or after `key`. Returns false if there is none. */
  seek(key: Uint8Array): boolean {
    // The search starts before the key, since a row or restart may begin with the second of two equal keys.
    const row = this.#lastRow((start) => compareBytes(start.key, start.key.length, key, key.length) < 0)
    if (this.#starts.length === 0) return false
    return this.#seekIn(Math.max(0, row), key)
  }

  /** Moves forward by at least one entry, to the first whose key is at or after `key`. Returns false if there is none. */
  advance(key: Uint8Array): boolean {
    for (let step = 0; step < NEAR; step++) {
      if (!this.next()) return false
      if (compareBytes(this.key, this.keyLength, key, key.length) >= 0) return true
    }
    const row = this.#row
    const next = this.#starts[row + 1]
    if (next && compareBytes(next.key, next.key.length, key, key.length) < 0) return this.seek(key)
    // The entry is usually nearby, so the search continues from here in growing steps.
    const from = Math.floor((this.ordinal - (this.#starts[row]?.ordinal ?? 0)) / RESTART_INTERVAL)
    let end = from + 1
    for (let width = 1; end < this.#restarts && this.#compareRestart(end, key) < 0; width *= 2) end += width
    return this.#seekIn(row, key, from, end)
  }

  /** Seeks from the row that would contain the key. `from` and `end`, if given, are restarts that bracket it. */
  #seekIn(row: number, key: Uint8Array, from?: number, end?: number): boolean {
    this.#openAtRestart(row, (restart) => this.#compareRestart(restart, key) < 0, from, end)
    while (this.next()) if (compareBytes(this.key, this.keyLength, key, key.length) >= 0) return true
    return false
  }

  /** Moves to the entry with this number. @throws IndexDamage if there are fewer entries */
  seekOrdinal(ordinal: number): void {
    const row = this.#lastRow((start) => start.ordinal <= ordinal)
    const first = this.#starts[row]?.ordinal ?? 0
    const restart = Math.floor((ordinal - first) / RESTART_INTERVAL)
    this.#openAtRestart(row, (at) => at <= restart)
    while (this.ordinal < ordinal) if (!this.next()) throw impossible()
  }

  #lastRow(before: (start: RowStart) => boolean): number {
    return bisect(0, this.#starts.length, (at) => before(this.#starts[at] as RowStart)) - 1
  }

  #openAtRestart(row: number, before: (restart: number) => boolean, from = 0, end = Infinity): void {
    if (row !== this.#row) this.#open(row)
    const restart = Math.max(from, bisect(from, Math.min(end, this.#restarts), before) - 1)
    this.payload.at = this.#restartOffset(restart)
    if (this.payload.at >= this.#entriesEnd) throw impossible()
    this.keyLength = 0
    this.ordinal = (this.#starts[row]?.ordinal ?? 0) + restart * RESTART_INTERVAL - 1
    this.#pending = false
  }

  #open(row: number): void {
    const bytes = this.#read(row)
    this.#row = row
    this.#restarts = u16(bytes, bytes.length - 2)
    this.#entriesEnd = bytes.length - 2 - 2 * this.#restarts
    if (this.#restarts === 0 || !(this.#entriesEnd > 0)) throw impossible()
    this.keyLength = 0
    this.payload.bytes = bytes
    this.payload.at = 0
    this.ordinal = (this.#starts[row]?.ordinal ?? 0) - 1
    this.#pending = false
  }

  #restartOffset(restart: number): number {
    return u16(this.payload.bytes, this.#entriesEnd + 2 * restart)
  }

  #compareRestart(restart: number, key: Uint8Array): number {
    const { bytes } = this.payload
    let at = this.#restartOffset(restart) + 1
    let length = bytes[at++] as number
    if (length >= 0x80) length += ((bytes[at++] as number) - 1) * 0x80
    const common = Math.min(length, key.length)
    for (let index = 0; index < common; index++) {
      const difference = (bytes[at + index] as number) - (key[index] as number)
      if (difference !== 0) return difference
    }
    return length - key.length
  }
}

function impossible(): IndexDamage {
  return new IndexDamage('A row of the search index is not what was written.')
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}
