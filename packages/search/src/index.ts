/**
 * The search index for storage engines. An engine implements `SegmentStore`. `IndexWriter` updates the index in the
 * transactions that change documents, and `IndexReader` searches the index. All engines rank documents identically.
 */

export { addedUp, CountedWords, type WordCounts } from './counted-words.ts'
export { type AnalysedDocument, DocumentAnalyser } from './document-analyser.ts'
export { documentTerms } from './document-terms.ts'
export { checksumOfDocuments, checksumOfIndex, type IndexChecksum } from './index-checksum.ts'
export { createMemorySegments } from './memory-segments.ts'
export type {
  DocumentKey,
  DocumentTerm,
  DocumentText,
  SearchDocument,
  WeightedText,
} from './port/document.ts'
export { ANYWHERE, type PropertyValue, pathKey } from './port/document.ts'
export { IndexDamage } from './port/index-damage.ts'
export type { Query, Result, ScoredKey } from './port/search-query.ts'
export type { SegmentReads, SegmentRecord, SegmentRows, SegmentStore } from './port/segment-store.ts'
export { INDEX_FORMAT, ROW_BYTES, SegmentFile, TOMBSTONE_ROW } from './port/segment-store.ts'
export {
  type Clause,
  type Expansion,
  type Expansions,
  endingExpansions,
  isCommon,
  isOfSome,
  joined,
  mayGoOn,
  prefixExpansions,
  someExpansions,
} from './read/clauses.ts'
export type { CoverClause } from './read/cover.ts'
export { Deadline } from './read/deadline.ts'
export { guessesFor } from './read/guesses.ts'
export { IndexReader } from './read/index-reader.ts'
export { Matched } from './read/matched.ts'
export { type NameWithin, namesAmong, runsWithin } from './read/names-within.ts'
export { kindOfLeaf, type Leaf } from './read/ordinals.ts'
export { isPrecise, pathsOf } from './read/precise-search.ts'
export type { QueryContext } from './read/query-context.ts'
export { correctedNames } from './read/query-names.ts'
export { QueryText, type QueryTextContext } from './read/query-text.ts'
export { broadOf, heldImpact, readingOf, type Superlative, superlativeIn, whyOf } from './read/reading.ts'
export { respaced } from './read/respacing.ts'
export { similarClauses } from './read/similar-searcher.ts'
export {
  ENOUGH,
  isOfName,
  TIER_SCORE,
  Tier,
  tierOfBeginning,
  tierOfCorrectedName,
} from './read/tiers.ts'
export { type SpellingCandidate, Vocabulary } from './read/vocabulary.ts'
export { type BuiltIndex, buildSegmentFile, type SegmentTable, segmentFileReads } from './segment-file.ts'
export { isNameTerm, NameKind, nameParts, nameTerm, normalizedName } from './text/names.ts'
export { type SynonymRule, Synonyms, synonymFaults } from './text/synonyms.ts'
export { type BuiltSegment, IndexWriter, type UnpublishedSegment } from './write/index-writer.ts'
export { LARGEST_MERGED } from './write/merge-policy.ts'
export { SegmentBuilder } from './write/segment-builder.ts'
