/** The default storage engine: one SQLite file, read and written by any number of processes. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { IndexReader } from '../../search/read/index-reader.ts'
import type { QueryContext } from '../../search/read/query-context.ts'
import { IndexWriter } from '../../search/write/index-writer.ts'
import { abortable } from '../abortable.ts'
import { answerQuery, type ReadEntity } from '../answer-query.ts'
import { applyOperations, prepareOperations, refusal, unmetMetadata } from '../apply.ts'
import {
  type Changes,
  type ChangesOptions,
  damagedEntity,
  type EntityKey,
  type Operation,
  type Query,
  type Storage,
  StorageFault,
  type StoredEntity,
  type WriteOptions,
  type WriteResult,
} from '../contract.ts'
import {
  beginning,
  changesFrom,
  DELETIONS_KEPT_MS,
  hasReached,
  placeFrom,
  refuseExpired,
} from '../history.ts'
import { IndexChanges } from '../index-changes.ts'
import { PositionWatch } from '../position-watch.ts'
import { timestampOf } from '../prepared.ts'
import { SYNONYMS_KEY, synonymsReader } from '../search-synonyms.ts'
import { inBackground, STEP_MS } from './background.ts'
import { connectReader, connectWriter, refuseOtherFiles } from './connect.ts'
import { refuseUnsafeEngine } from './engine-version.ts'
import { type EntityRows, entityRows } from './entity-rows.ts'
import { ExpiredImports } from './expired-imports.ts'
import { beginFollowing } from './following.ts'
import { beginImport } from './import.ts'
import type { ImportParts } from './import-parts.ts'
import { buildSmallIndex, mendSmallIndex, setIndexRules } from './index-from-entities.ts'
import { IndexRebuild } from './index-rebuild.ts'
import { type LogRows, logRows } from './log-rows.ts'
import { OwnerRows } from './owner-rows.ts'
import { segmentStore } from './segments.ts'
import { openSnapshot } from './snapshot.ts'
import { faultFrom, withFaults } from './sqlite-faults.ts'
import { Staging } from './staging.ts'
import { guardFiles } from './store-files.ts'
import { type StoreState, storeState } from './store-state.ts'
import { tokenRows } from './token-rows.ts'
import { onRollback, reading, rollBack, writing } from './transaction.ts'
import { TransactionTable } from './transaction-table.ts'

/** How a store in a file behaves. */
export interface SqliteStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** Opens an existing store and never writes it; writing fails with `read_only`. */
  readonly readOnly?: boolean
  /** What the store holds can be had again from elsewhere: a power cut may take what was written last. */
  readonly isDerived?: boolean
  /** How long deletions are remembered, in milliseconds. Absent: 90 days. */
  readonly deletionsKeptMs?: number
}

/** How often a watched store is looked at for what other processes wrote, in milliseconds. */
const WATCH_MS = 20

/**
 * Opens the store in this file, and makes it if there is none. Writes are durable when they return.
 * @throws StorageFault `not_a_store`, `newer_format`, `unsafe_engine` with the file untouched; `busy`, `full`
 */
export function openSqliteStorage(
  path: string,
  {
    now = () => new Date(),
    readOnly = false,
    isDerived = false,
    deletionsKeptMs = DELETIONS_KEPT_MS,
  }: SqliteStorageOptions = {},
): Storage {
  refuseUnsafeEngine()
  // An absolute path is never one of SQLite's special names, such as `:memory:` or `file:…`.
  const file = resolve(path)
  refuseOtherFiles(file)
  const db = readOnly ? connectReader(file) : connectWriter(file, isDerived)
  try {
    return storageOver(db, file, { now, readOnly, deletionsKeptMs })
  } catch (error) {
    db.close()
    throw faultFrom(error)
  }
}

type Settings = Required<Omit<SqliteStorageOptions, 'isDerived'>>

/** What the methods of a store work on. */
interface StoreParts extends ImportParts {
  readonly segments: ReturnType<typeof segmentStore>
  readonly rebuild: IndexRebuild
}

function partsOf(db: DatabaseSync, file: string, { now, deletionsKeptMs }: Settings): StoreParts {
  const state = storeState(db)
  const segments = segmentStore(db)
  const writer = new IndexWriter(segments)
  const expiredImports = new ExpiredImports(db)
  const log = logRows(db)
  const rebuild = new IndexRebuild({ db, file, state, writer })
  const maintain = () => {
    const isMore = writer.maintain(STEP_MS)
    // That is no step of maintenance, and never leaves more of them.
    rebuild.beginIfDue()
    return (
      isMore || expiredImports.maintain(STEP_MS) || trimLog(log, state, now().getTime() - deletionsKeptMs)
    )
  }
  const inSteps = inBackground(db, maintain, () => writer.abandonMerge())
  const maintainSoon = () => {
    mendSmallIndex(db, writer, state)
    inSteps()
  }
  onRollback(db, () => writer.forget())
  const [rows, staging, owners] = [entityRows(db), new Staging(db), new OwnerRows(db)]
  const own = { db, file, staging, expiredImports, state, rows, log, owners, writer, now, maintainSoon }
  return { ...own, segments, rebuild }
}

function storageOver(db: DatabaseSync, file: string, settings: Settings): Storage {
  const parts = partsOf(db, file, settings)
  const { state, rows, log, owners, writer, segments } = parts
  const watch = new PositionWatch(() => withFaults(state.position), WATCH_MS)
  const repairIndex = () => void (settings.readOnly || parts.rebuild.begin())
  const files = guardFiles(db, file)
  if (!settings.readOnly) {
    buildSmallIndex(db, writer, state)
    parts.maintainSoon()
  }
  return abortable<Storage>({
    get: (type, id) => withFaults(() => soundOrFault(rows.get(type, id), { type, id })),
    list: (type, { after = '', limit }) =>
      reading(db, () => {
        const { count, version } = state.type(type)
        return { ...(limit ? rows.after(type, after, limit) : { entities: [] }), total: count, version }
      }),
    find: finder({ db, rows, state, reader: new IndexReader(segments), repairIndex }),
    async write(operations, options) {
      const result = await write(parts, operations, options)
      if (result.done) watch.look()
      return result
    },
    import: (options) => beginImport(parts, options),
    owned: ({ limit }) => reading(db, () => owners.owned(limit)),
    versions: () => withFaults(state.types),
    version: () => withFaults(state.version),
    position: () => withFaults(state.position),
    hasReached: (position) => withFaults(() => hasReached(state.history(), position)),
    changes: (options) => reading(db, () => readLog(log, state, options)),
    watch: (signal) => watch.positions(signal),
    follow: () => beginFollowing(parts, () => watch.look()),
    metadata: (key) => withFaults(() => state.metadata(key)),
    tokens: abortable(tokenRows(db)),
    repairIndex,
    setIndexRules: (rules) => setIndexRules(db, writer, state, rules),
    indexRules: () => withFaults(state.indexRules),
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

function finder({ db, rows, state, reader, repairIndex }: FinderParts): Storage['find'] {
  const source = {
    search(query: Query, context: QueryContext) {
      reader.refresh()
      return reader.search(query, context)
    },
    synonyms: synonymsReader(() => state.metadata(SYNONYMS_KEY)?.value),
    rules: state.indexRules,
    entities: rows.under,
    types: state.types,
    first: (type: string, limit: number) => rows.after(type, '', limit),
  }
  return (query) => {
    try {
      return reading(db, () => answerQuery(source, query))
    } catch (error) {
      if (error instanceof StorageFault && error.code === 'index_rebuilding') repairIndex()
      throw error
    }
  }
}

async function write(
  { db, rows, log, owners, state, writer, now, maintainSoon }: ImportParts,
  operations: readonly Operation[],
  { metadata, ifMetadata, signal }: WriteOptions = {},
): Promise<WriteResult> {
  const prepared = prepareOperations(operations)
  const result = await writing(
    db,
    () => {
      const failedMetadata = unmetMetadata(ifMetadata, (key) => state.metadata(key)?.value)
      if (failedMetadata !== undefined) return { done: false, failedMetadata } as const
      const at = now()
      const changes = new IndexChanges(writer, state.indexRules())
      const entities = new TransactionTable({ rows, log, owners, state, changes, at: at.getTime() })
      const applied = applyOperations(entities, prepared, timestampOf(at))
      if (applied.done) {
        entities.finish(metadata)
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

/** @throws StorageFault `damaged` */
function soundOrFault(found: ReadEntity, key: EntityKey): StoredEntity | undefined {
  if (found === 'damaged') throw damagedEntity(key)
  return found
}

function readLog(log: LogRows, state: StoreState, options: ChangesOptions): Changes {
  const { trimmed, ...reach } = state.history()
  const place = options.after === undefined ? beginning(reach.number) : placeFrom(reach.epoch, options.after)
  refuseExpired(place, trimmed)
  return changesFrom({ ...log.after(reach, place, options), place, reach, trimmed }, state.types)
}

/** Forgets some deletions of before a moment. Whether there may be more. */
function trimLog(log: LogRows, state: StoreState, before: number): boolean {
  const last = log.trim(before)
  if (last !== undefined) state.trim(last)
  return last !== undefined
}
