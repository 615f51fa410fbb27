/** A segment's columns, opened on demand. */
import {
  type Column,
  type Dictionary,
  peekColumnEntry,
  StoredColumn,
  skipColumnEntry,
} from '../columns/column.ts'
import { type ColumnKind, columnKey, KINDS, pathAndKind } from '../columns/column-key.ts'
import type { SegmentHead } from '../format/segment-head.ts'
import { TableIterator } from '../format/table.ts'
import { pathKey } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'
import { SegmentFile } from '../port/segment-store.ts'
import type { RowCache } from './row-cache.ts'

/** Maximum number of open columns. Each has directories of a few kilobytes per million documents. */
const KEPT = 64

const TIMES = [pathKey('createdAt'), pathKey('updatedAt')]

/** A column found in a segment's table. */
export interface FoundColumn {
  /** Index of the column's type in the segment head. */
  readonly type: number
  readonly path: string
  readonly kind: ColumnKind
  open(): Column
}

/** Finds columns by type, path and kind. */
export class Columns {
  readonly #head: SegmentHead
  readonly #read: (row: number) => Uint8Array
  readonly #table: TableIterator
  readonly #readTable: (row: number) => Uint8Array
  #open = new Map<string, Column | undefined>()

  constructor(head: SegmentHead, cache: RowCache, segment: number) {
    this.#head = head
    this.#read = (row) => cache.row(segment, SegmentFile.values, row)
    this.#readTable = (row) => cache.row(segment, SegmentFile.columns, row)
    this.#table = this.#iterator()
  }

  /** Returns a column, or undefined if no document has such a value. `type` is the index of the type in the head. */
  find(type: number, path: string, kind: ColumnKind): Column | undefined {
    const name = `${type} ${kind} ${path}`
    if (this.#open.has(name)) return this.#open.get(name)
    if (this.#open.size >= KEPT) this.#open = new Map()
    const key = columnKey(type, path, kind)
    const table = this.#table
    const isThere =
      table.seek(key) &&
      table.keyLength === key.length &&
      Buffer.compare(table.key.subarray(0, key.length), key) === 0
    const column = isThere ? this.#opened(type, path, kind, table) : undefined
    this.#open.set(name, column)
    return column
  }

  /** Yields every column in ascending order of type, path and kind. */
  *all(): Generator<FoundColumn> {
    const table = this.#iterator()
    while (table.next()) {
      const type = (table.key[0] as number) * 256 + (table.key[1] as number)
      const { path, kind } = pathAndKind(table.key, table.keyLength)
      if (kind === undefined || type >= this.#head.types.length) throw damaged()
      yield { type, path, kind, open: () => this.#opened(type, path, kind, table) }
    }
  }

  /** Returns a type's columns at a path, one per kind present. */
  kinds(type: number, path: string): Column[] {
    return KINDS.flatMap((kind) => this.find(type, path, kind) ?? [])
  }

  #opened(type: number, path: string, kind: ColumnKind, table: TableIterator): Column {
    const range = this.#head.types[type]
    if (!range) throw damaged()
    const entry = peekColumnEntry(table.payload)
    const column = new StoredColumn(this.#read, kind, range.end - range.first, entry)
    const { moment } = this.#head
    if (moment === undefined || !TIMES.includes(path)) return column
    return new WrittenThen(column, moment)
  }

  #iterator(): TableIterator {
    return new TableIterator(this.#head.columns, this.#readTable, skipColumnEntry)
  }
}

/** Returns the latest known creation or update time, in milliseconds since 1970, or minus infinity if none is known. */
export function latestInstant({
  head,
  columns,
}: {
  readonly head: SegmentHead
  readonly columns: Columns
}): number {
  let latest = Number.NEGATIVE_INFINITY
  for (const [type] of head.types.entries()) {
    for (const path of TIMES) {
      const { values = 0, dictionary } = columns.find(type, path, 'instant') ?? {}
      for (let ordinal = values - 1; ordinal >= 0 && ordinal >= values - 2; ordinal--) {
        const instant = dictionary?.numbers?.at(ordinal) ?? Number.POSITIVE_INFINITY
        if (instant !== Number.POSITIVE_INFINITY) latest = Math.max(latest, instant)
      }
    }
  }
  return latest
}

/** A column of instants in which infinity is replaced by the time when the documents were written. */
class WrittenThen implements Column {
  readonly kind
  readonly documents
  readonly values
  readonly dictionary: Dictionary
  readonly ordinals
  readonly owners
  readonly sorted
  readonly isFull
  readonly isMultiple
  readonly #column: Column

  constructor(column: Column, moment: number) {
    const { numbers } = column.dictionary
    if (!numbers) throw damaged()
    this.#column = column
    this.kind = column.kind
    this.documents = column.documents
    this.values = column.values
    this.ordinals = column.ordinals
    this.owners = column.owners
    this.sorted = column.sorted
    this.isFull = column.isFull
    this.isMultiple = column.isMultiple
    const at = (ordinal: number) => Math.min(numbers.at(ordinal), moment)
    this.dictionary = { numbers: { count: numbers.count, at } }
  }

  start(ordinal: number): number {
    return this.#column.start(ordinal)
  }
}

function damaged(): IndexDamage {
  return new IndexDamage('The table of columns of the search index is not what was written.')
}
