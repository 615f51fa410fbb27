/**
 * Port to a storage engine for the search index: the engine keeps immutable segments, cut into rows.
 *
 * The port is synchronous. A search reads hundreds of rows, each chosen by the one before. An engine that cannot read
 * synchronously keeps a local copy of the segments, which never change, and updates the copy before a search.
 */

/**
 * Format version of the rows and heads. An engine keeps the number beside its segments. If it finds another number, it deletes
 * all segments and builds the index from the entities, with `IndexWriter.build`.
 */
export const INDEX_FORMAT = 11

/** Maximum bytes of a row. An engine that reads whole rows reads as much for one posting. */
export const ROW_BYTES = 65_536

/** The files of a segment. Each is a sequence of rows, numbered from 0. */
export const SegmentFile = { terms: 0, documents: 1, postings: 2, columns: 3, values: 4 } as const
/** One of the files of a segment. */
export type SegmentFile = (typeof SegmentFile)[keyof typeof SegmentFile]

/** Documents covered by one row of tombstones: few, because every update writes a row. */
export const TOMBSTONE_ROW = 4096

/** A published segment as the store keeps it. */
export interface SegmentRecord {
  /** Never reused, unless the transaction that created it was rolled back. */
  readonly id: number
  /** The bytes given to `publish`. Read once per segment, within the same snapshot: it may be a getter. */
  readonly head: Uint8Array
  /**
   * Deleted documents: for each row that was set, its number and `TOMBSTONE_ROW` bits. Bit `n % 8` of byte `n / 8` stands for
   * document `row * TOMBSTONE_ROW + n`.
   */
  readonly tombstones: Iterable<readonly [row: number, bits: Uint8Array]>
}

/**
 * Read access to segments. All methods see one snapshot of the store. Rows may be kept after it has changed. `IndexReader`
 * passes on whatever a method throws, and loses nothing it has read. Rows come back byte for byte, or IndexDamage is thrown:
 * the engine keeps a checksum of every row, which includes where the row belongs, and one of all segments.
 */
export interface SegmentReads {
  /**
   * Returns a value that changes whenever segments or tombstones do, even if the change is rolled back. No value occurs twice.
   * Undefined if there is no index because it was given up: it must be built.
   */
  generation(): number | string | undefined
  /** Returns the published segments, in any order. @throws IndexDamage if they are not those that were published */
  segments(): readonly SegmentRecord[]
  /** Returns a row as it was appended. The caller does not change it. @throws IndexDamage if the segment has no such row */
  row(segment: number, file: SegmentFile, row: number): Uint8Array
}

/** Destination of the rows of a new segment. */
export type SegmentRows = Pick<SegmentStore, 'create' | 'append'>

/** Write access to segments. Every call belongs to the open transaction and is rolled back with it. */
export interface SegmentStore extends SegmentReads {
  /** Begins an unpublished segment and returns its id. It may be written in several transactions. */
  create(): number
  /** Adds a row to an unpublished segment. The rows of a file come in order. `bytes` may be kept. */
  append(segment: number, file: SegmentFile, row: number, bytes: Uint8Array): void
  /** Publishes a segment and removes others, atomically. Rows of the others may be removed later, by `sweep`. */
  publish(segment: number, head: Uint8Array, replaced: readonly number[]): void
  /** Gives up an unpublished segment. */
  discard(segment: number): void
  /** Removes all published segments: there is no index until the engine builds it again. */
  giveUp(): void
  /** Replaces one row of a segment's tombstones. */
  setTombstones(segment: number, row: number, bits: Uint8Array): void
  /**
   * Removes up to `rows` rows of segments that were replaced or given up, so that no transaction becomes long. Returns true if
   * there may be more.
   */
  sweep(rows: number): boolean
}
