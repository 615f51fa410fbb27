/**
 * The port behind which a storage engine keeps the index: immutable segments, cut into rows.
 * It is synchronous: a search touches rows by the hundred, chosen by what the last one said. An engine whose data is not
 * at hand synchronously keeps a local copy of the segments, which never change, and brings it up to date before a search.
 */

/** How long a row may be, in bytes. SQLite reads a blob whole, so this is what touching one posting costs at most. */
export const ROW_BYTES = 65_536

/** The files of a segment, each a numbered sequence of rows. */
export const SegmentFile = { terms: 0, documents: 1, postings: 2 } as const
/** Which file of a segment. */
export type SegmentFile = (typeof SegmentFile)[keyof typeof SegmentFile]

/** How many documents one row of tombstones covers: small, because every update writes one. */
export const TOMBSTONE_ROW = 4096

/** A published segment. */
export interface SegmentRecord {
  /** Never used again, unless the transaction that created it was undone. */
  readonly id: number
  /** What `SegmentWriter` said of it: sizes, and where its rows begin. */
  readonly head: Uint8Array
}

/** The format of the index. Another one is not read: the index is built anew from the entities. */
export const INDEX_FORMAT = 3

/** What a search needs. All answers come from the engine's current snapshot; rows may be kept after it. */
export interface SegmentReads {
  /** Differs after every change of segments or tombstones, undone ones included. */
  generation(): number | string
  /** The published segments. */
  segments(): readonly SegmentRecord[]
  /** One row. The caller does not change it. */
  row(segment: number, file: SegmentFile, row: number): Uint8Array
  /** The dead documents of a segment: row numbers with their bitmaps of `TOMBSTONE_ROW` bits. */
  tombstones(segment: number): Iterable<readonly [row: number, bits: Uint8Array]>
}

/** Where the rows of a new segment go. */
export type SegmentRows = Pick<SegmentStore, 'create' | 'append'>

/** What a writer needs besides. Everything belongs to the transaction that is open. */
export interface SegmentStore extends SegmentReads {
  /** Begins a segment that nobody sees yet. Its rows survive the transaction. */
  create(): number
  /** Adds a row to a segment that is not published. */
  append(segment: number, file: SegmentFile, row: number, bytes: Uint8Array): void
  /** Makes a segment visible, instead of others, whose rows are dropped later. */
  publish(segment: number, head: Uint8Array, replaced: readonly number[]): void
  /** Gives up a segment that is not published. */
  discard(segment: number): void
  /** Replaces one row of a segment's tombstones. */
  bury(segment: number, row: number, bits: Uint8Array): void
  /**
   * Removes up to `rows` rows of segments that were replaced or given up, so that no transaction becomes long. True where
   * there may be more.
   */
  sweep(rows: number): boolean
}
