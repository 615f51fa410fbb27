/**
 * The search index, for storage engines: `SegmentStore` is what an engine implements, `IndexWriter` fills it in the
 * transactions that change documents, and `IndexReader` searches it. All engines rank alike.
 */

export { documentTerms } from './document-terms.ts'
export { createMemorySegments } from './memory-segments.ts'
export type {
  DocumentKey,
  DocumentTerm,
  DocumentText,
  SearchDocument,
  WeightedText,
} from './port/document.ts'
export { IndexDamage } from './port/index-damage.ts'
export type { Query, Result, ScoredKey } from './port/search-query.ts'
export type { SegmentReads, SegmentRecord, SegmentRows, SegmentStore } from './port/segment-store.ts'
export { INDEX_FORMAT, ROW_BYTES, SegmentFile, TOMBSTONE_ROW } from './port/segment-store.ts'
export { IndexReader } from './read/index-reader.ts'
export type { QueryContext } from './read/query-context.ts'
export type { BuiltIndex, SegmentTable } from './segment-file.ts'
export { buildSegmentFile, segmentFileReads } from './segment-file.ts'
export type { SynonymRule } from './text/synonyms.ts'
export { Synonyms } from './text/synonyms.ts'
export type { BuiltSegment, UnpublishedSegment } from './write/index-writer.ts'
export { IndexWriter } from './write/index-writer.ts'
