/** Checksum of the column contents of an index. */
import type { Column } from './columns/column.ts'
import { type ColumnKind, columnKey, REFERENCES, referenceText } from './columns/column-key.ts'
import { PACKED } from './columns/packed.ts'
import { hashOf, mixed } from './entry-hash.ts'
import type { PropertyValue } from './port/document.ts'
import type { Segment } from './read/segment.ts'

/** Number of column entries of live documents, and the sum of their hashes, each made of column, document and value. */
export interface ColumnChecksum {
  /** Number of entries, or -1 if some column lists different entries in document order and in value order. */
  readonly entries: number
  readonly sum: number
}

/** Counts the column entries of documents and sums their hashes, one document at a time. */
export class EntrySum {
  readonly #columns = new Map<string, number>()
  entries = 0
  sum = 0

  /** Adds the values of a document. Equal values in the same column count once. */
  add(values: readonly PropertyValue[], keyHash: number): void {
    const seen = new Set<string>()
    const addOne = (path: string, kind: ColumnKind, bytes: Buffer) => {
      const column = `${kind} ${path}`
      const entry = `${column} ${bytes.toString('latin1')}`
      if (seen.has(entry)) return
      seen.add(entry)
      const hash = this.#columns.get(column) ?? hashOf(columnKey(0, path, kind))
      this.#columns.set(column, hash)
      this.entries += 1
      this.sum = (this.sum + mixed(hash, keyHash, hashOf(bytes))) | 0
    }
    for (const value of values) {
      addOne(value.path, value.kind, bytesOf(value))
      if (value.kind === 'reference')
        addOne(REFERENCES, 'reference', Buffer.from(`${referenceText(value.value)}\n${value.path}`))
    }
  }
}

/** Returns the checksum of a segment's columns. `keyHashes` contains the hash of each document's key. @throws IndexDamage */
export function checksumOfColumns(segment: Segment, keyHashes: Int32Array): ColumnChecksum {
  let entries = 0
  let sum = 0
  let isOne = true
  for (const { type, path, kind, open } of segment.columns.all()) {
    const column = open()
    const first = segment.head.types[type]?.first ?? 0
    const name = hashOf(columnKey(0, path, kind))
    const values = hashesOf(column)
    const hashOfEntry = (document: number, ordinal: number) =>
      segment.isDeleted(first + document)
        ? undefined
        : mixed(name, keyHashes[first + document] ?? 0, values[ordinal] ?? 0)
    const [count, byDocument] = sumOf(entriesOf(column), hashOfEntry)
    const [same, byValue] = sumOf(entriesByValue(column), hashOfEntry)
    isOne &&= count === same && byDocument === byValue
    entries += count
    sum = (sum + byDocument) | 0
  }
  return { entries: isOne ? entries : -1, sum }
}

type Entry = readonly [document: number, ordinal: number]

function sumOf(
  entries: Iterable<Entry>,
  hashOfEntry: (...entry: Entry) => number | undefined,
): readonly [count: number, sum: number] {
  let count = 0
  let sum = 0
  for (const [document, ordinal] of entries) {
    const hash = hashOfEntry(document, ordinal)
    if (hash === undefined) continue
    count += 1
    sum = (sum + hash) | 0
  }
  return [count, sum]
}

function* entriesOf({ owners, ordinals }: Column): Generator<Entry> {
  for (let block = 0; block * PACKED < ordinals.count; block++) {
    const documents = owners.block(block)
    for (const [at, ordinal] of ordinals.block(block).entries()) yield [documents[at] as number, ordinal]
  }
}

/** Yields the entries of a column in value order, as a search by value reads them. */
function* entriesByValue(column: Column): Generator<Entry> {
  let at = 0
  for (let ordinal = 0; ordinal < column.values; ordinal++)
    for (const end = column.start(ordinal + 1); at < end; at++) yield [column.sorted.at(at), ordinal]
}

function hashesOf({ dictionary: { texts, numbers, longitudes }, values }: Column): Int32Array {
  return Int32Array.from({ length: values }, (_, ordinal) => {
    if (texts) return hashOf(texts.bytes(ordinal))
    const number = numbers.at(ordinal)
    return hashOf(longitudes ? doubles(number, longitudes.at(ordinal)) : doubles(number))
  })
}

/** Returns the bytes that distinguish a value from other values of its kind. */
function bytesOf(value: PropertyValue): Buffer {
  switch (value.kind) {
    case 'text':
      return Buffer.from(value.value)
    case 'reference':
      return Buffer.from(referenceText(value.value))
    case 'place':
      return doubles(value.value.latitude, value.value.longitude)
    case 'unindexed':
      return doubles(0)
    default:
      return doubles(Number(value.value))
  }
}

function doubles(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeDoubleLE(number, 8 * at)
  return bytes
}
