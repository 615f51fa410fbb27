/** `world verify`: compares the search index of a store with its entities, and rebuilds it. */
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

/** Result of comparing entities with the index. */
export interface IndexVerdict {
  readonly agrees: boolean
  /** Entities in the store. */
  readonly entities: number
  /** Living documents in the index. */
  readonly documents: number
  /** Entities that cannot be read, so that no index agrees with them. */
  readonly damaged: number
}

/** Compares every entity with the index, in one snapshot. @throws StorageFault */
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
 * Rebuilds the index of a store, and returns true. If entities cannot be read, leaves it as it is, and returns false.
 * @throws StorageFault `busy`, `full`
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

/** Returns the checksum of an index; undefined if it is damaged, and so agrees with nothing. */
function checksumOf(reader: IndexReader): IndexChecksum | undefined {
  try {
    reader.refresh()
    return checksumOfIndex(reader.segments)
  } catch (error) {
    if (error instanceof IndexDamage) return undefined
    throw error
  }
}
