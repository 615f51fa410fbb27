/**
 * What a storage engine does for the search index: it keeps immutable segments, cut into rows.
 *
 * The port is synchronous. A search reads rows by the hundred, each chosen by what the one before said. An engine that cannot
 * read synchronously keeps a local copy of the segments, which never change, and updates the copy before a search.
 */

/**
 * The format of what the rows and heads hold. An engine keeps the number beside its segments. If it finds another one, it
 * deletes all segments and builds the index from the entities, with `IndexWriter.build`.
 */
export const INDEX_FORMAT = 11

/** The longest row, in bytes. It is what reading one posting costs an engine that reads rows as a whole. */
export const ROW_BYTES = 65_536

/** The files of a segment. Each is a sequence of rows, numbered from 0. */
export const SegmentFile = { terms: 0, documents: 1, postings: 2, columns: 3, values: 4 } as const
/** One of the files of a segment. */
export type SegmentFile = (typeof SegmentFile)[keyof typeof SegmentFile]

/** How many documents one row of tombstones covers: few, because every update writes a row. */
export const TOMBSTONE_ROW = 4096

/** A published segment as the store keeps it. */
export interface SegmentRecord {
  /** Never used again, unless the transaction that created it was rolled back. */
  readonly id: number
  /** The bytes that `publish` was given. Read once of each segment, within the same snapshot: it may be a getter. */
  readonly head: Uint8Array
  /**
   * The deleted documents: for each row that was set, its number and `TOMBSTONE_ROW` bits. Bit `n % 8` of byte `n / 8`
   * stands for document `row * TOMBSTONE_ROW + n`.
   */
  readonly tombstones: Iterable<readonly [row: number, bits: Uint8Array]>
}

/**
 * What searching needs. All methods see one snapshot of the store. Rows may be kept after it has changed.
 * What a method throws, `IndexReader` passes on; nothing it has read before is lost. What was written comes back byte for byte,
 * or IndexDamage is thrown: the engine keeps a checksum of every row, which says where the row belongs, and one of all segments.
 */
export interface SegmentReads {
  /**
   * Changes whenever segments or tombstones do, also where the change is rolled back. No value comes twice. Undefined where
   * there is no index, because it was given up: it is to be built.
   */
  generation(): number | string | undefined
  /** The published segments, in any order. @throws IndexDamage where they are not those that were published */
  segments(): readonly SegmentRecord[]
  /** One row as it was appended. The caller does not change it. @throws IndexDamage where the segment has no such row */
  row(segment: number, file: SegmentFile, row: number): Uint8Array
}

/** Where a new segment is written. */
export type SegmentRows = Pick<SegmentStore, 'create' | 'append'>

/** What writing needs besides. Every call belongs to the transaction that is open, and is rolled back with it. */
export interface SegmentStore extends SegmentReads {
  /** Begins a segment that is not published, and returns its id. It may be written in several transactions. */
  create(): number
  /** Adds a row to a segment that is not published. The rows of a file come in order. `bytes` may be kept. */
  append(segment: number, file: SegmentFile, row: number, bytes: Uint8Array): void
  /** Makes a segment visible and takes others away, in one step. Rows of the others may be removed later, by `sweep`. */
  publish(segment: number, head: Uint8Array, replaced: readonly number[]): void
  /** Gives up a segment that is not published. */
  discard(segment: number): void
  /** Takes all published segments away: from now on there is no index, until the engine builds it again. */
  giveUp(): void
  /** Sets one row of a segment's tombstones, instead of what it was. */
  setTombstones(segment: number, row: number, bits: Uint8Array): void
  /**
   * Removes up to `rows` rows of segments that were replaced or given up, so that no transaction becomes long. True where
   * there may be more.
   */
  sweep(rows: number): boolean
}
