/**
 * Port between the search index and a storage engine. The engine stores immutable segments, divided into rows.
 *
 * The port is synchronous, since a search reads hundreds of rows and each read depends on the previous one. An engine
 * without synchronous reads keeps a local copy of the immutable segments and updates it before each search.
 */

/**
 * Format version of rows and heads. An engine stores this number beside its segments. If it finds a different version, it
 * deletes all segments and rebuilds the index from the entities with `IndexWriter.build`.
 */
export const INDEX_FORMAT = 13

/** Maximum row size, in bytes. An engine that reads whole rows may read this much for a single posting. */
export const ROW_BYTES = 65_536

/** Files of a segment. Each file is a sequence of rows numbered from 0. */
export const SegmentFile = { terms: 0, documents: 1, postings: 2, columns: 3, values: 4 } as const
/** Number of a segment file. */
export type SegmentFile = (typeof SegmentFile)[keyof typeof SegmentFile]

/** Number of documents per row of tombstones, kept small because every update writes a row. */
export const TOMBSTONE_ROW = 4096

/** A published segment, as stored by the engine. */
export interface SegmentRecord {
  /** Segment id. Never reused, unless the transaction that created the segment is rolled back. */
  readonly id: number
  /** Bytes passed to `publish`. May be a getter, since it is read once per segment, within the same snapshot. */
  readonly head: Uint8Array
  /**
   * Tombstone rows that have been set, each with its number and `TOMBSTONE_ROW` bits. Bit `n % 8` of byte `n / 8` is set if
   * document `row * TOMBSTONE_ROW + n` is deleted.
   */
  readonly tombstones: Iterable<readonly [row: number, bits: Uint8Array]>
}

/**
 * Read access to segments. All methods see one snapshot of the store, and callers may retain rows after the store changes.
 * An index reader propagates any error from a method and keeps what it has already read. `row` returns exactly the bytes
 * appended or throws IndexDamage. An engine keeps a checksum of each row and its position, and one of all rows.
 */
export interface SegmentReads {
  /**
   * Returns a value that changes with every change to segments or tombstones, even one that is rolled back. Values must
   * never repeat. Returns undefined if the index was given up and must be rebuilt.
   */
  generation(): number | string | undefined
  /** Returns the published segments, in any order. @throws IndexDamage if they differ from those published */
  segments(): readonly SegmentRecord[]
  /** Returns a row as appended. Callers must not modify it. @throws IndexDamage if the segment has no such row */
  row(segment: number, file: SegmentFile, row: number): Uint8Array
}

/** Destination for the rows of a new segment. */
export type SegmentRows = Pick<SegmentStore, 'create' | 'append'>

/** Write access to segments. Every call is part of the open transaction and is rolled back with it. */
export interface SegmentStore extends SegmentReads {
  /** Creates an unpublished segment and returns its id. Its rows may be written over several transactions. */
  create(): number
  /** Appends a row to an unpublished segment. Rows of a file arrive in order. The engine may retain `bytes`. */
  append(segment: number, file: SegmentFile, row: number, bytes: Uint8Array): void
  /** Atomically publishes a segment and removes the replaced ones, whose rows may be removed later by `sweep`. */
  publish(segment: number, head: Uint8Array, replaced: readonly number[]): void
  /** Discards an unpublished segment. */
  discard(segment: number): void
  /** Removes all published segments. There is then no index until the engine rebuilds it. */
  giveUp(): void
  /** Replaces one row of a segment's tombstones. */
  setTombstones(segment: number, row: number, bits: Uint8Array): void
  /**
   * Removes up to `rows` rows of replaced or abandoned segments, to keep transactions short. Returns true if there may be
   * more rows.
   */
  sweep(rows: number): boolean
}
