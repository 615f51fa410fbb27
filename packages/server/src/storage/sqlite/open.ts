/** The default storage engine: one SQLite file, read and written by any number of processes. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { IndexReader } from '../../search/read/index-reader.ts'
import { IndexWriter } from '../../search/write/index-writer.ts'
import { answerQuery } from '../answer-query.ts'
import { applyOperations, prepareOperations, refusal, unmetMetadata } from '../apply.ts'
import type { Query, Storage } from '../contract.ts'
import { indexChanges } from '../index-changes.ts'
import { timestampOf } from '../prepared.ts'
import { WEIGHTS_KEY, weightsOfText } from '../search-weights.ts'
import { inBackground, STEP_MS } from './background.ts'
import { connectReader, connectWriter, refuseOtherFiles } from './connect.ts'
import { refuseUnsafeEngine } from './engine-version.ts'
import { entityRows } from './entity-rows.ts'
import { faultFrom, withFaults } from './faults.ts'
import { beginImport } from './import.ts'
import { indexUpkeep } from './index-upkeep.ts'
import { segmentStore } from './segments.ts'
import { openSnapshot } from './snapshot.ts'
import { stagingTables } from './staging.ts'
import { storeState } from './store-state.ts'
import { tokenRows } from './token-rows.ts'
import { reading, undo, whenUndone, writing } from './transaction.ts'
import { transactionTable } from './transaction-table.ts'

/** How a store in a file behaves. */
export interface SqliteStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** Opens an existing store and never writes it; writing fails with `read_only`. */
  readonly readOnly?: boolean
}

/**
 * Opens the store in this file, and makes it where there is none. Writes are durable when they return.
 * @throws StorageFault `not_a_store`, `newer_format`, `unsafe_engine` with the file untouched; `busy`, `full`
 */
export function openSqliteStorage(
  path: string,
  { now = () => new Date(), readOnly = false }: SqliteStorageOptions = {},
): Storage {
  refuseUnsafeEngine()
  // An absolute path is never one of SQLite's special names, such as `:memory:` or `file:…`.
  const file = resolve(path)
  refuseOtherFiles(file)
  const db = readOnly ? connectReader(file) : connectWriter(file)
  try {
    return storageOver(db, file, now, readOnly)
  } catch (error) {
    db.close()
    throw faultFrom(error)
  }
}

function storageOver(db: DatabaseSync, file: string, now: () => Date, readOnly: boolean): Storage {
  const rows = entityRows(db)
  const state = storeState(db)
  const segments = segmentStore(db)
  const writer = new IndexWriter(segments)
  const reader = new IndexReader(segments)
  const upkeep = indexUpkeep(db, writer, state)
  const staging = stagingTables(db)
  const tidySoon = inBackground(
    db,
    () => writer.maintain(STEP_MS) || staging.tidy(STEP_MS),
    () => writer.abandonMerge(),
  )
  whenUndone(db, () => writer.forget())
  if (!readOnly) {
    upkeep.build()
    tidySoon()
  }
  const valueNow = (key: string) => state.metadata(key)?.value
  const table = () =>
    transactionTable(rows, state, indexChanges(writer, weightsOfText(valueNow(WEIGHTS_KEY))))
  const source = {
    search: (query: Query) => {
      reader.refresh()
      return reader.search(query)
    },
    get: rows.get,
    types: state.types,
    first: (type: string, limit: number) => rows.after(type, '', limit),
  }

  return {
    get(type, id, { signal } = {}) {
      signal?.throwIfAborted()
      return withFaults(() => rows.get(type, id))
    },
    list(type, { after = '', limit, signal }) {
      signal?.throwIfAborted()
      return reading(db, () => {
        const { count, version } = state.type(type)
        return { entities: limit ? rows.after(type, after, limit) : [], total: count, version }
      })
    },
    find(query) {
      query.signal?.throwIfAborted()
      return reading(db, () => answerQuery(source, query))
    },
    async write(operations, { metadata, ifMetadata, signal } = {}) {
      signal?.throwIfAborted()
      const prepared = prepareOperations(operations)
      const result = await writing(db, () => {
        signal?.throwIfAborted()
        const failedMetadata = unmetMetadata(ifMetadata, valueNow)
        if (failedMetadata !== undefined) return { done: false, failedMetadata } as const
        const entities = table()
        const applied = applyOperations(entities, prepared, timestampOf(now()))
        if (applied.done) return { ...applied, version: entities.finish(metadata) }
        undo(db)
        return applied
      })
      if (result.done) tidySoon()
      return 'failed' in result ? refusal(prepared, result.failed, rows.get) : result
    },
    import({ signal } = {}) {
      signal?.throwIfAborted()
      return beginImport({ db, staging, state, rows, writer, table, now, tidySoon })
    },
    versions({ signal } = {}) {
      signal?.throwIfAborted()
      return withFaults(state.types)
    },
    version({ signal } = {}) {
      signal?.throwIfAborted()
      return withFaults(state.version)
    },
    metadata(key, { signal } = {}) {
      signal?.throwIfAborted()
      return withFaults(() => state.metadata(key))
    },
    tokens: tokenRows(db),
    setSearchWeights(weights, { signal } = {}) {
      signal?.throwIfAborted()
      return upkeep.setWeights(weights)
    },
    snapshot({ signal } = {}) {
      signal?.throwIfAborted()
      return openSnapshot(file)
    },
    close() {
      if (db.isOpen) db.close()
    },
  }
}
