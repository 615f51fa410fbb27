/** Default engine: one SQLite file, which any number of processes may read and write. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  abortable,
  applyOperations,
  beginning,
  type Changes,
  type ChangesOptions,
  changesFrom,
  DELETIONS_KEPT_MS,
  damagedEntity,
  type EntityKey,
  type Operation,
  offsetFrom,
  PositionWatch,
  prepareOperations,
  type Query,
  refusal,
  refuseExpired,
  type Store,
  type StoredEntity,
  StoreFault,
  SYNONYMS_KEY,
  timestampOf,
  unmetValue,
  type WriteOptions,
  type WriteResult,
} from '@worldwright/core/store'
import { IndexReader, IndexWriter, type QueryContext } from '@worldwright/search'
import {
  answerQuery,
  IndexChanges,
  matchingFields,
  type ReadEntity,
  synonymsReader,
} from '@worldwright/search/entities'
import { inBackground, STEP_MS } from './background.ts'
import { connectReader, connectWriter, refuseOtherFiles } from './connect.ts'
import { refuseUnsafeEngine } from './engine-version.ts'
import { type EntityRows, entityRows } from './entity-rows.ts'
import { beginFollowing } from './following.ts'
import { beginImport } from './import.ts'
import type { ImportParts } from './import-parts.ts'
import { buildSmallIndex, mendSmallIndex } from './index-from-entities.ts'
import { IndexRebuild } from './index-rebuild.ts'
import { type LogRows, logRows } from './log-rows.ts'
import { PrecedenceRows } from './precedence-rows.ts'
import { segmentStore } from './segments.ts'
import { openSnapshot } from './snapshot.ts'
import { faultFrom, withFaults } from './sqlite-faults.ts'
import { Staging } from './staging.ts'
import { guardFiles } from './store-files.ts'
import { type StoreState, storeState } from './store-state.ts'
import { onRollback, reading, rollBack, writing } from './transaction.ts'
import { TransactionTable } from './transaction-table.ts'
import { readPerCommit } from './wal-index.ts'

/** Options for opening a store file. */
export interface SqliteStoreOptions {
  /** Returns the current time. Default: the system clock. */
  readonly now?: () => Date
  /** Opens an existing store for reading only. Writes fail with `read_only`. */
  readonly readOnly?: boolean
  /** True if the content can be recovered from elsewhere. A power failure may then lose the last writes. */
  readonly isDerived?: boolean
  /** Retention period of tombstones, in milliseconds. Default: 90 days. */
  readonly deletionsKeptMs?: number
}

/** Interval, in milliseconds, at which a watched store is polled for writes by other processes. */
const WATCH_MS = 20

/**
 * Opens the store in a file, creating it if it does not exist. Writes are durable when they return.
 * @throws StoreFault `not_a_store`, `newer_format`, `unsafe_engine` with the file untouched; `busy`, `full`
 */
export function openSqliteStore(
  path: string,
  {
    now = () => new Date(),
    readOnly = false,
    isDerived = false,
    deletionsKeptMs = DELETIONS_KEPT_MS,
  }: SqliteStoreOptions = {},
): Store {
  refuseUnsafeEngine()
  // An absolute path is never mistaken for a special SQLite name, such as `:memory:` or `file:…`.
  const file = resolve(path)
  refuseOtherFiles(file)
  const db = readOnly ? connectReader(file) : connectWriter(file, isDerived)
  try {
    return storeOver(db, file, { now, readOnly, deletionsKeptMs })
  } catch (error) {
    db.close()
    throw faultFrom(error)
  }
}

type Settings = Required<Omit<SqliteStoreOptions, 'isDerived'>>

interface StoreParts extends ImportParts {
  readonly segments: ReturnType<typeof segmentStore>
  readonly rebuild: IndexRebuild
}

function partsOf(db: DatabaseSync, file: string, { now, deletionsKeptMs }: Settings): StoreParts {
  const state = storeState(db)
  const segments = segmentStore(db)
  const writer = new IndexWriter(segments)
  const log = logRows(db)
  const rebuild = new IndexRebuild({ db, file, state, writer })
  const maintain = () => {
    const isMore = writer.maintain(STEP_MS)
    // A rebuild runs on its own. It never requires further maintenance steps.
    rebuild.beginIfDue()
    return isMore || trimLog(log, state, now().getTime() - deletionsKeptMs)
  }
  const inSteps = inBackground(db, maintain, () => writer.abandonMerge())
  const maintainSoon = () => {
    mendSmallIndex(db, writer, state)
    inSteps()
  }
  onRollback(db, () => writer.forget())
  const [rows, staging, precedence] = [entityRows(db), new Staging(db, file), new PrecedenceRows(db)]
  const own = { db, file, staging, state, rows, log, precedence, writer, now, maintainSoon }
  return { ...own, segments, rebuild }
}

function storeOver(db: DatabaseSync, file: string, settings: Settings): Store {
  const parts = partsOf(db, file, settings)
  const { state, rows, log, precedence, writer, segments } = parts
  const watch = new PositionWatch(() => withFaults(state.position), WATCH_MS)
  const repairIndex = () => void (settings.readOnly || parts.rebuild.begin())
  const files = guardFiles(db, file)
  if (!settings.readOnly) {
    buildSmallIndex(db, writer, state)
    parts.maintainSoon()
  }
  return abortable<Store>({
    get: (type, id) => withFaults(() => soundOrFault(rows.get(type, id), { type, id })),
    list: (type, { after = '', limit }) =>
      reading(db, () => {
        const { count, version } = state.type(type)
        return { ...(limit ? rows.after(type, after, limit) : { entities: [] }), total: count, version }
      }),
    find: finder({ db, rows, state, reader: new IndexReader(segments), repairIndex }),
    matchedIn: (hits, matched) => matchingFields(hits, matched, withFaults(state.indexRules)),
    async write(operations, options) {
      const result = await write(parts, operations, options)
      if (result.done) watch.look()
      return result
    },
    bulk: (options) => beginImport(parts, options),
    owned: ({ limit }) => reading(db, () => precedence.owned(limit)),
    types: () => withFaults(state.types),
    version: readPerCommit(db, file, () => withFaults(state.version)),
    changes: (options) => reading(db, () => readLog(log, state, options)),
    watch: (signal) => watch.positions(signal),
    follow: () => beginFollowing(parts, () => watch.look()),
    values: (prefix) => withFaults(() => state.values(prefix)),
    repairIndex,
    snapshot() {
      files.refuseGone()
      return openSnapshot(file)
    },
    close() {
      watch.close()
      if (db.isOpen) db.close()
    },
  })
}

interface FinderParts {
  readonly db: DatabaseSync
  readonly rows: EntityRows
  readonly state: StoreState
  readonly reader: IndexReader
  readonly repairIndex: () => void
}

function finder({ db, rows, state, reader, repairIndex }: FinderParts): Store['find'] {
  const source = {
    search(query: Query, context: QueryContext) {
      reader.refresh()
      return reader.search(query, context)
    },
    synonyms: synonymsReader(() => state.value(SYNONYMS_KEY)),
    rules: state.indexRules,
    entities: rows.under,
    types: state.types,
    first: (type: string, limit: number) => rows.after(type, '', limit),
  }
  return (query) => {
    try {
      return reading(db, () => answerQuery(source, query))
    } catch (error) {
      if (error instanceof StoreFault && error.code === 'index_rebuilding') repairIndex()
      throw error
    }
  }
}

async function write(
  parts: ImportParts,
  operations: readonly Operation[],
  { values, ifValues, signal }: WriteOptions = {},
): Promise<WriteResult> {
  const { db, rows, state, writer, now, maintainSoon } = parts
  const prepared = prepareOperations(operations)
  const result = await writing(
    db,
    () => {
      const failedValue = unmetValue(ifValues, (key) => state.value(key))
      if (failedValue !== undefined) return { done: false, failedValue } as const
      const at = now()
      const changes = new IndexChanges(writer, state.indexRules())
      const entities = new TransactionTable({ ...parts, changes, at: at.getTime() })
      const applied = applyOperations(entities, prepared, timestampOf(at))
      if (applied.done) {
        entities.finish(values)
        return { ...applied, position: state.position() }
      }
      rollBack(db)
      return applied
    },
    signal,
  )
  if (result.done) maintainSoon()
  if (!('failed' in result)) return result
  return refusal(prepared, result.failed, (type, id) => soundOrFault(rows.get(type, id), { type, id }))
}

function soundOrFault(found: ReadEntity, key: EntityKey): StoredEntity | undefined {
  if (found === 'damaged') throw damagedEntity(key)
  return found
}

function readLog(log: LogRows, state: StoreState, options: ChangesOptions): Changes {
  const { trimmed, ...reach } = state.history()
  const offset =
    options.after === undefined ? beginning(reach.number) : offsetFrom(reach.epoch, options.after)
  refuseExpired(offset, trimmed)
  return changesFrom({ ...log.after(reach, offset, options), offset, reach, trimmed }, state.types)
}

/** Removes some tombstones older than `before`. Returns true if there may be more. */
function trimLog(log: LogRows, state: StoreState, before: number): boolean {
  const last = log.trim(before)
  if (last !== undefined) state.trim(last)
  return last !== undefined
}
