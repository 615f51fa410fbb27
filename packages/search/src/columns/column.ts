/**
 * A column contains the values of one kind at one path in the documents of one type. An entry is one value in one document.
 * Entries are sorted by document, then by value.
 *
 *     payload  := varint(entries) varint(values) flags:u8 varint(place of head) varint(bytes of head)
 *     head     := dictionary ordinals [documents] [ends] [sorted]
 *
 * `ordinals` gives the value of each entry and `documents` its document (omitted if entry n belongs to document n). `ends`
 * gives the cumulative entry count per value (omitted if each value has one entry). `sorted` lists the documents of all
 * entries by value, then by document (omitted if entries have that order). Documents are numbered from the type's first.
 */
import { ByteReader, type ByteWriter } from '../format/byte-io.ts'
import { type ColumnKind, isText } from './column-key.ts'
import { Doubles, Texts } from './dictionary.ts'
import { Consecutive, type Numbers, PackedNumbers } from './packed.ts'
import { notWhatWasWritten, type ReadRow, spanOf } from './value-rows.ts'

/** Entry and value counts of a column, and the position of its head. */
export interface ColumnEntry {
  readonly entries: number
  readonly values: number
  readonly flags: number
  readonly place: number
  readonly bytes: number
}

/** Flag: every document of the type has exactly one value, so entry n belongs to document n. */
export const FULL = 1
/** Flag: some document has several values. */
export const MULTIPLE = 2
/** Flag: no value occurs more than once in the column. */
export const UNIQUE = 4
/** Flag: entries are also sorted by value. */
export const IN_ORDER = 8

/** Writes a column's payload after its key. */
export function writeColumnEntry(
  to: ByteWriter,
  { entries, values, flags, place, bytes }: ColumnEntry,
): void {
  to.varint(entries)
  to.varint(values)
  to.byte(flags)
  to.varint(place)
  to.varint(bytes)
}

/** Moves the reader past a column's payload. */
export function skipColumnEntry(from: ByteReader): void {
  from.varint()
  from.varint()
  from.at += 1
  from.varint()
  from.varint()
}

/** Reads a column's payload without moving the reader. */
export function peekColumnEntry(from: ByteReader): ColumnEntry {
  const { at } = from
  const entry = {
    entries: from.varint(),
    values: from.varint(),
    flags: from.byte(),
    place: from.varint(),
    bytes: from.varint(),
  }
  from.at = at
  return entry
}

/** Distinct values of a column, by ordinal. */
export type Dictionary =
  | {
      readonly texts: Pick<Texts, 'before' | 'bytes' | 'count'>
      readonly numbers?: undefined
      readonly longitudes?: undefined
    }
  /** Locations, sorted by latitude and then by longitude. */
  | {
      readonly texts?: undefined
      readonly numbers: Pick<Doubles, 'at' | 'count'>
      readonly longitudes?: Pick<Doubles, 'at' | 'count'>
    }

/** A column open for reading. */
export interface Column {
  readonly kind: ColumnKind
  /** Number of documents of the column's type. */
  readonly documents: number
  /** Number of distinct values. */
  readonly values: number
  readonly dictionary: Dictionary
  /** Value ordinal of each entry. */
  readonly ordinals: Numbers
  /** Document of each entry. */
  readonly owners: Numbers
  /** Documents of all entries, sorted by value. */
  readonly sorted: Numbers
  /** Set if every document has exactly one value. Entry n then belongs to document n. */
  readonly isFull: boolean
  /** Set if a document may have several values. */
  readonly isMultiple: boolean
  /** Returns the index in `sorted` of a value's first document, or the length of `sorted` if `ordinal` is `values`. */
  start(ordinal: number): number
}

/** A column as stored in a segment. */
export class StoredColumn implements Column {
  readonly kind: ColumnKind
  readonly documents: number
  readonly values: number
  readonly dictionary: Dictionary
  readonly ordinals: Numbers
  readonly owners: Numbers
  readonly sorted: Numbers
  readonly isFull: boolean
  readonly isMultiple: boolean
  readonly #ends: Numbers

  /** Reads the head. @throws IndexDamage if its content is impossible */
  constructor(
    read: ReadRow,
    kind: ColumnKind,
    documents: number,
    { entries, values, flags, place, bytes }: ColumnEntry,
  ) {
    this.kind = kind
    this.documents = documents
    this.values = values
    this.isFull = (flags & FULL) !== 0
    this.isMultiple = (flags & MULTIPLE) !== 0
    if (values > entries || values === 0 || (this.isFull && entries !== documents)) throw notWhatWasWritten()
    if ((flags & UNIQUE) !== 0 && values !== entries) throw notWhatWasWritten()
    if (!this.isMultiple && entries > documents) throw notWhatWasWritten()
    const head = new ByteReader(spanOf(read, place, bytes))
    this.dictionary = dictionaryOf(read, head, kind, values)
    this.ordinals = new PackedNumbers(read, head, entries, values)
    this.owners = this.isFull
      ? new Consecutive(0, documents)
      : new PackedNumbers(read, head, entries, documents)
    this.#ends =
      flags & UNIQUE ? new Consecutive(1, values) : new PackedNumbers(read, head, values, entries + 1)
    this.sorted = flags & IN_ORDER ? this.owners : new PackedNumbers(read, head, entries, documents)
    if (head.at !== bytes || this.#ends.at(values - 1) !== entries) throw notWhatWasWritten()
  }

  start(ordinal: number): number {
    if (ordinal === 0) return 0
    return this.#ends.at(Math.min(ordinal, this.values) - 1)
  }
}

function dictionaryOf(read: ReadRow, head: ByteReader, kind: ColumnKind, values: number): Dictionary {
  if (isText(kind)) return { texts: new Texts(read, head, values) }
  const numbers = new Doubles(read, head, values)
  return kind === 'place' ? { numbers, longitudes: new Doubles(read, head, values) } : { numbers }
}
