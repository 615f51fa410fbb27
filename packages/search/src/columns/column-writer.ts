/** Writes the columns of a segment, one after another. */
import { ByteWriter } from '../format/byte-io.ts'
import { type RowStart, TableWriter } from '../format/table.ts'
import { SegmentFile } from '../port/segment-store.ts'
import { FULL, IN_ORDER, MULTIPLE, UNIQUE, writeColumnEntry } from './column.ts'
import { type ColumnKind, columnKey } from './column-key.ts'
import { TextsWriter, writeDoubles } from './dictionary.ts'
import { writePacked } from './packed.ts'
import { ValueRows } from './value-rows.ts'

/** Entries of a column in ascending order of document, then of ordinal, without duplicates. */
export interface Entries {
  readonly owners: Uint32Array
  readonly ordinals: Uint32Array
  readonly count: number
}

/** Column values in ascending order: text as bytes, numbers, or locations as latitudes with parallel longitudes. */
export type Values =
  | { readonly texts: Iterable<Uint8Array>; readonly count: number }
  | { readonly numbers: Float64Array; readonly longitudes?: Float64Array | undefined; readonly count: number }

/** Writes a segment's column files. */
export class ColumnWriter {
  readonly #rows: ValueRows
  readonly #table: TableWriter

  /** Creates a writer. `rowsOf` returns the function that receives the rows of a file. */
  constructor(rowsOf: (file: SegmentFile) => (row: number, bytes: Uint8Array) => void) {
    this.#rows = new ValueRows(rowsOf(SegmentFile.values))
    this.#table = new TableWriter(rowsOf(SegmentFile.columns))
  }

  /** Row starts of the column table, valid once everything is written. */
  get starts(): readonly RowStart[] {
    return this.#table.starts
  }

  /**
   * Adds a column. Columns must arrive in ascending order of type, path and kind. `type` is the index of the type in the
   * head, and `documents` the number of its documents. Yields after writing each part.
   */
  *column(
    { type, path, kind, documents }: { type: number; path: string; kind: ColumnKind; documents: number },
    values: Values,
    { owners, ordinals, count }: Entries,
  ): Generator<void> {
    const rows = this.#rows
    const head = new ByteWriter()
    if ('texts' in values) {
      const texts = new TextsWriter(rows)
      for (const bytes of values.texts) texts.add(bytes)
      texts.end(head)
    } else {
      writeDoubles(rows, head, values.numbers, values.count)
      if (values.longitudes) writeDoubles(rows, head, values.longitudes, values.count)
    }
    yield
    writePacked(rows, head, ordinals, count)
    yield
    let flags = flagsOf(owners, ordinals, count, values.count)
    if (count === documents && (flags & MULTIPLE) === 0) flags |= FULL
    if ((flags & FULL) === 0) writePacked(rows, head, owners, count)
    yield
    const ends = endsOf(ordinals, count, values.count)
    if ((flags & UNIQUE) === 0) writePacked(rows, head, ends, values.count)
    yield
    if ((flags & IN_ORDER) === 0) writePacked(rows, head, sortedOf(owners, ordinals, count, ends), count)
    const place = rows.span(head)
    const entry = { entries: count, values: values.count, flags, place, bytes: head.length }
    writeColumnEntry(this.#table.add(columnKey(type, path, kind)), entry)
  }

  /** Writes the remaining rows. */
  end(): void {
    this.#rows.end()
    this.#table.end()
  }
}

function flagsOf(owners: Uint32Array, ordinals: Uint32Array, count: number, values: number): number {
  let flags = values === count ? UNIQUE | IN_ORDER : IN_ORDER
  for (let at = 1; at < count; at++) {
    if (owners[at] === owners[at - 1]) flags |= MULTIPLE
    if ((ordinals[at] as number) < (ordinals[at - 1] as number)) flags &= ~IN_ORDER
  }
  return flags
}

/** Returns, for each value, the number of entries up to and including that value. */
function endsOf(ordinals: Uint32Array, count: number, values: number): Uint32Array {
  const ends = new Uint32Array(values)
  for (let at = 0; at < count; at++) (ends[ordinals[at] as number] as number)++
  for (let at = 1; at < values; at++) (ends[at] as number) += ends[at - 1] as number
  return ends
}

function sortedOf(owners: Uint32Array, ordinals: Uint32Array, count: number, ends: Uint32Array): Uint32Array {
  const next = new Uint32Array(ends.length)
  next.set(ends.subarray(0, ends.length - 1), 1)
  const sorted = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    const ordinal = ordinals[at] as number
    const place = next[ordinal] as number
    next[ordinal] = place + 1
    sorted[place] = owners[at] as number
  }
  return sorted
}
