export { answerQuery, everything, type Listing, partsOf, type ReadEntity } from './answer-query.ts'
export { type EntityValues, entityValues, type Test, testOf } from './holds.ts'
export { IndexChanges, jsonOf } from './index-changes.ts'
export { matchingFields } from './matching-fields.ts'
export { memorySearch } from './memory-search.ts'
export {
  addedDocument,
  documentFromJson,
  removedDocument,
  searchDocumentOf,
  searchDocuments,
} from './search-document.ts'
export { synonymsReader } from './synonyms-reader.ts'
export { type SearchedSource, withIndex } from './with-index.ts'
