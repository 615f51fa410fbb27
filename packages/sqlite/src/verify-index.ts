/** Implements `world verify` for the search index: compares it with the entities, and rebuilds it. */
import {
  checksumOfDocuments,
  checksumOfIndex,
  type IndexChecksum,
  IndexDamage,
  IndexReader,
  IndexWriter,
} from '@worldwright/search'
import { connectReader, connectWriter } from './connect.ts'
import { buildIndex, documentsOf, readingsOf } from './index-from-entities.ts'
import { isIndexed, segmentStore } from './segments.ts'
import { storeState } from './store-state.ts'
import { reading } from './transaction.ts'

/** Result of comparing the entities with the index. */
export interface IndexVerdict {
  readonly agrees: boolean
  /** Number of entities in the store. */
  readonly entities: number
  /** Number of documents in the index, without deleted ones. */
  readonly documents: number
  /** Number of unreadable entities. If there are any, `agrees` is false. */
  readonly damaged: number
}

/** Compares every entity with the index, in one snapshot. @throws StoreFault */
export function verifySearchIndex(file: string): IndexVerdict {
  const db = connectReader(file)
  try {
    return reading(db, () => {
      const rules = storeState(db).indexRules()
      let damaged = 0
      const documents = documentsOf(db, rules, () => {
        damaged += 1
      })
      const wanted = checksumOfDocuments(documents)
      const found = isIndexed(db) ? checksumOf(new IndexReader(segmentStore(db))) : undefined
      const agrees = damaged === 0 && JSON.stringify(wanted) === JSON.stringify(found)
      return { agrees, entities: wanted.documents + damaged, documents: found?.documents ?? 0, damaged }
    })
  } finally {
    db.close()
  }
}

/**
 * Rebuilds the index of a store and returns true. If an entity is unreadable, changes nothing and returns false.
 * @throws StoreFault `busy`, `full`
 */
export function rebuildSearchIndex(file: string): boolean {
  const db = connectWriter(file)
  try {
    for (const found of readingsOf(db)) if (found === 'damaged') return false
    buildIndex(db, new IndexWriter(segmentStore(db)), storeState(db))
    return true
  } finally {
    db.close()
  }
}

function checksumOf(reader: IndexReader): IndexChecksum | undefined {
  try {
    reader.refresh()
    return checksumOfIndex(reader.segments)
  } catch (error) {
    if (error instanceof IndexDamage) return undefined
    throw error
  }
}
