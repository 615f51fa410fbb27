/** The search index and its port: what a storage engine fills, and the reader and writer that work over it. */

export type { DocumentKey, DocumentText, SearchDocument, WeightedText } from './port/document.ts'
export type { Query, Result, ScoredKey } from './port/query.ts'
export type { SegmentReads, SegmentRecord, SegmentRows, SegmentStore } from './port/segment-store.ts'
export { INDEX_FORMAT, ROW_BYTES, SegmentFile, TOMBSTONE_ROW } from './port/segment-store.ts'
export { IndexReader } from './read/index-reader.ts'
export { IndexWriter } from './write/index-writer.ts'
