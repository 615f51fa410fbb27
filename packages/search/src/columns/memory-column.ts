import { TableIterator } from '../format/table.ts'
import { SegmentFile } from '../port/segment-store.ts'
import { type Column, peekColumnEntry, StoredColumn, skipColumnEntry } from './column.ts'
import type { ColumnKind } from './column-key.ts'
import { ColumnWriter, type Entries, type Values } from './column-writer.ts'

/** Writes a column to memory in steps, and opens it. Returns its size in bytes as well. */
export function* memoryColumn(
  kind: ColumnKind,
  documents: number,
  values: Values,
  entries: Entries,
): Generator<void, { readonly value: Column; readonly bytes: number }> {
  const files = { [SegmentFile.values]: [] as Uint8Array[], [SegmentFile.columns]: [] as Uint8Array[] }
  let bytes = 0
  const writer = new ColumnWriter((file) => (row, written) => {
    files[file as keyof typeof files][row] = written
    bytes += written.length
  })
  yield* writer.column({ type: 0, path: '', kind, documents }, values, entries)
  writer.end()
  const rowOf = (file: keyof typeof files) => (row: number) => files[file][row] as Uint8Array
  const table = new TableIterator(writer.starts, rowOf(SegmentFile.columns), skipColumnEntry)
  table.next()
  const entry = peekColumnEntry(table.payload)
  return { value: new StoredColumn(rowOf(SegmentFile.values), kind, documents, entry), bytes }
}
