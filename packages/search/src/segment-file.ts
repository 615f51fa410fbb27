/**
 * An index as two immutable files: the concatenated rows, and a table of their positions. A search reads only some rows.
 */
import { createMemorySegments } from './memory-segments.ts'
import type { SearchDocument } from './port/document.ts'
import { IndexDamage } from './port/index-damage.ts'
import { INDEX_FORMAT, type SegmentFile, type SegmentReads } from './port/segment-store.ts'
import { IndexWriter } from './write/index-writer.ts'

/** Positions of the rows in an index file, as plain data. */
export interface SegmentTable {
  /** `INDEX_FORMAT` of the program that wrote the table. */
  readonly format: number
  readonly segments: readonly {
    /** Bytes of the head, as numbers below 256. */
    readonly head: readonly number[]
    /** For each file, the length of each row in bytes. The rows are stored in this order. */
    readonly rows: readonly (readonly number[])[]
  }[]
}

/** An index built in memory. */
export interface BuiltIndex {
  readonly table: SegmentTable
  /** Rows, in the order of the table. */
  readonly rows: readonly Uint8Array[]
}

/** Builds an index of these documents in memory. The same documents in the same order produce the same bytes. */
export function buildSegmentFile(documents: Iterable<SearchDocument>): BuiltIndex {
  const segments = createMemorySegments()
  const written = new Map<number, Uint8Array[][]>()
  const append: typeof segments.append = (segment, file, row, bytes) => {
    const files = written.get(segment) ?? []
    written.set(segment, files)
    files[file] ??= []
    files[file][row] = bytes
    segments.append(segment, file, row, bytes)
  }
  new IndexWriter({ ...segments, append }).build(documents)
  const published = segments.segments().map(({ id, head }) => {
    const files = Array.from(written.get(id) ?? [], (rows) => rows ?? [])
    return { head: [...head], files }
  })
  return {
    table: {
      format: INDEX_FORMAT,
      segments: published.map(({ head, files }) => ({
        head,
        rows: files.map((rows) => rows.map((row) => row.byteLength)),
      })),
    },
    rows: published.flatMap(({ files }) => files.flat()),
  }
}

/**
 * Returns read access to the segments of a table. `read` returns bytes `[start, end)` of the file with the rows.
 * @throws IndexDamage if the table has a different format
 */
export function segmentFileReads(
  { format, segments }: SegmentTable,
  read: (start: number, end: number) => Uint8Array,
): SegmentReads {
  if (format !== INDEX_FORMAT) throw new IndexDamage(`This index has format ${format}, not ${INDEX_FORMAT}.`)
  let end = 0
  const ends = segments.map(({ rows }) => rows.map((lengths) => lengths.map((length) => (end += length))))
  return {
    generation: () => 1,
    segments: () => segments.map(({ head }, id) => ({ id, head: Uint8Array.from(head), tombstones: [] })),
    row(segment: number, file: SegmentFile, row: number) {
      const until = ends[segment]?.[file]?.[row]
      const length = segments[segment]?.rows[file]?.[row]
      if (until === undefined || length === undefined)
        throw new IndexDamage(`Segment ${segment} has no row ${file}/${row}.`)
      const bytes = read(until - length, until)
      if (bytes.byteLength !== length) throw new IndexDamage(`Row ${segment}/${file}/${row} is cut.`)
      return bytes
    },
  }
}
