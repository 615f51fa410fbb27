/** `world verify`: whether the search index of a store agrees with its entities, and building it anew. */
import { IndexReader } from '../../search/reader.ts'
import { type IndexSum, sumOfDocuments, sumOfIndex } from '../../search/verify.ts'
import { IndexWriter } from '../../search/writer.ts'
import { searchDocuments } from '../search-text.ts'
import { WEIGHTS_KEY, weightsOfText } from '../search-weights.ts'
import { connectReader, connectWriter } from './connect.ts'
import { indexUpkeep } from './index-upkeep.ts'
import { query } from './query.ts'
import { isIndexed, segmentStore } from './segments.ts'
import { storeState } from './store-state.ts'
import { reading } from './transaction.ts'

/** What entities and index say of each other. */
export interface IndexVerdict {
  readonly agrees: boolean
  /** Entities in the store. */
  readonly entities: number
  /** Living documents in the index. */
  readonly documents: number
}

/** Compares every entity with the index, in one snapshot. @throws StorageFault */
export function verifySearchIndex(file: string): IndexVerdict {
  const db = connectReader(file)
  try {
    return reading(db, () => {
      const weights = weightsOfText(storeState(db).metadata(WEIGHTS_KEY))
      const entities = query<[string, string]>(db, 'SELECT type, json FROM entities').iterate()
      const wanted = sumOfDocuments(searchDocuments(entities, weights))
      const found = isIndexed(db) ? sumOfIndex(new IndexReader(segmentStore(db)).segments) : NOTHING
      const agrees = isIndexed(db) && JSON.stringify(wanted) === JSON.stringify(found)
      return { agrees, entities: wanted.documents, documents: found.documents }
    })
  } finally {
    db.close()
  }
}

/** Builds the index of a store anew. @throws StorageFault `busy`, `full` */
export function rebuildSearchIndex(file: string): void {
  const db = connectWriter(file)
  try {
    indexUpkeep(db, new IndexWriter(segmentStore(db)), storeState(db)).rebuild()
  } finally {
    db.close()
  }
}

const NOTHING: IndexSum = { documents: 0, postings: 0, sum: 0 }
