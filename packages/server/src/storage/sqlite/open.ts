/** The default storage engine: one SQLite file, read and written by any number of processes. */
import { resolve } from 'node:path'
import { answerSearch } from '../answer-search.ts'
import { applyOperations, prepareOperations, refusal } from '../apply.ts'
import type { Storage } from '../contract.ts'
import { openFullText } from '../fts.ts'
import { timestampOf } from '../prepared.ts'
import { connectReader, connectWriter, refuseOtherFiles } from './connect.ts'
import { refuseUnsafeEngine } from './engine-version.ts'
import { entityRows } from './entity-rows.ts'
import { withFaults } from './faults.ts'
import { beginImport, removingWaste } from './import.ts'
import { openSnapshot } from './snapshot.ts'
import { stagingTables } from './staging.ts'
import { storeState } from './store-state.ts'
import { reading, writing } from './transaction.ts'
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
  const rows = entityRows(db)
  const state = storeState(db)
  const fullText = openFullText(db)
  const staging = stagingTables(db)
  if (!readOnly) Array.from(removingWaste({ db, staging }))
  const table = () => transactionTable(rows, state, fullText)
  const source = {
    find: fullText.find,
    get: rows.get,
    types: state.types,
    first: (type: string, limit: number) => rows.after(type, '', limit),
  }

  return {
    get: (type, id) => withFaults(() => rows.get(type, id)),
    list: (type, { after = '', limit }) =>
      reading(db, () => {
        const { count, version } = state.type(type)
        return { entities: limit ? rows.after(type, after, limit) : [], total: count, version }
      }),
    search: (query) => reading(db, () => answerSearch(source, query)),
    async write(operations) {
      const prepared = prepareOperations(operations)
      const result = await writing(db, () => {
        const entities = table()
        const applied = applyOperations(entities, prepared, timestampOf(now()))
        if (applied.done) entities.settle()
        else db.exec('ROLLBACK')
        return applied
      })
      return result.done ? result : refusal(prepared, result.failed, rows.get)
    },
    import: () => beginImport({ db, staging, table, now }),
    versions: () => withFaults(state.types),
    version: () => withFaults(state.version),
    metadata: (key) => withFaults(() => state.metadata(key)),
    setMetadata: (key, value) => writing(db, () => state.setMetadata(key, value)),
    snapshot: () => openSnapshot(file),
    close() {
      if (db.isOpen) db.close()
    },
  }
}
