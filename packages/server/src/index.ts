/** Publish a world of typed entities: the request handler, its adapters, storage, and what fills it. */

export { toFetch } from './adapters/fetch.ts'
export type { Listening, ListenOptions, RequestHandler } from './adapters/node.ts'
export { listen, nodeListener } from './adapters/node.ts'
export type { LogEvent, Observation, WorldHandler, WorldOptions } from './handler/handler.ts'
export { createWorld } from './handler/handler.ts'
export type { Route, RouteHandler, RouteParams, WorldRequest, WorldResponse } from './handler/http.ts'
export type { OriginOptions } from './handler/origins.ts'
export type { Authorise } from './operator/authorise.ts'
export { admitReaders } from './operator/private-world.ts'
export type { OperatorApi } from './operator/routes.ts'
export { createOperatorApi, OPERATOR_EXTENSION, OPERATOR_PATH } from './operator/routes.ts'
export type { Scope, TokenDescription, TokenWish } from './operator/tokens.ts'
export { createToken, hasTokens, listTokens, revokeToken, scopeFrom } from './operator/tokens.ts'
export type {
  DefinitionFile,
  DefinitionProblem,
  Source,
  TypeDefinition,
  WorldDefinition,
} from './publish/definition/definition.ts'
export {
  DefinitionFault,
  definitionFromText,
  emptyDefinition,
  findDefinition,
  readDefinition,
} from './publish/definition/definition.ts'
export { DEFINITION_SCHEMA } from './publish/definition/definition-checks.ts'
export type { Proposal, ProposalInput } from './publish/definition/scaffold.ts'
export { proposeDefinition } from './publish/definition/scaffold.ts'
export { searchWeights } from './publish/definition/search-weights.ts'
export type { OnInvalid, Setting, SettingKind, SettingValue } from './publish/definition/settings.ts'
export {
  environmentName,
  flagName,
  SETTINGS,
  settingFromText,
  shownSetting,
} from './publish/definition/settings.ts'
export { WorldIdFault, worldId } from './publish/definition/world-id.ts'
export type { Mapping } from './publish/entities/mapping.ts'
export type { EntityFromRecord, RecordDefaults } from './publish/entities/record.ts'
export { entityFromRecord } from './publish/entities/record.ts'
export type { Validator, Verdict } from './publish/entities/validator.ts'
export { createValidator, SchemaFault } from './publish/entities/validator.ts'
export { csvExport } from './publish/export/csv-export.ts'
export { ndjsonExport } from './publish/export/ndjson-export.ts'
export type { ImportResult } from './publish/load/import-records.ts'
export { importRecords } from './publish/load/import-records.ts'
export type { Fingerprint, LoadedSources } from './publish/load/loaded-sources.ts'
export {
  definedSources,
  digested,
  fingerprintOf,
  loadedNotes,
  loadedSources,
  touchedTypes,
} from './publish/load/loaded-sources.ts'
export type {
  ImportOptions,
  ImportProgress,
  ImportSource,
  ImportWarning,
  Rejection,
} from './publish/load/options.ts'
export type { Dangling, DanglingReport } from './publish/load/references.ts'
export { ImportRefused, ImportShrunk, ImportStopped } from './publish/load/refusals.ts'
export { ColumnFault } from './publish/read/csv.ts'
export { formatFromName, type SourceFormat } from './publish/read/formats.ts'
export type { PathOptions, RecordSource } from './publish/read/record-source.ts'
export {
  definitionFiles,
  REJECTED,
  SCHEMA_NAME,
  SourceFault,
  sourceFromFile,
  sourcesFromPath,
} from './publish/read/record-source.ts'
export { declaredTypes } from './publish/types/declared-types.ts'
export { effectiveTypes } from './publish/types/effective-types.ts'
export { describingTypes } from './publish/types/type-inference.ts'
export type * from './storage/contract.ts'
export { StorageFault } from './storage/contract.ts'
export type { MemoryStorageOptions } from './storage/memory.ts'
export { createMemoryStorage } from './storage/memory.ts'
export { revisionOf } from './storage/prepared.ts'
export type { CopyProgress } from './storage/sqlite/backup.ts'
export { backupStore, restoreStore } from './storage/sqlite/backup.ts'
export type { SqliteStorageOptions } from './storage/sqlite/open.ts'
export { openSqliteStorage } from './storage/sqlite/open.ts'
export type { StoreReport } from './storage/sqlite/verify.ts'
export { verifyStore } from './storage/sqlite/verify.ts'
export type { IndexVerdict } from './storage/sqlite/verify-index.ts'
export { rebuildSearchIndex, verifySearchIndex } from './storage/sqlite/verify-index.ts'
export type { Channel, Methods } from './workers/calls.ts'
export { AnswerLost, answerCalls, createCaller } from './workers/calls.ts'
export { groupingWrites } from './workers/group-commit.ts'
export type { Pool, PoolOptions, PoolWorker } from './workers/pool.ts'
export { startPool } from './workers/pool.ts'
export type { SearchProcess, SearchProcessOptions } from './workers/search-process.ts'
export { createSearchProcess, searchingIn } from './workers/search-process.ts'
export type { SharedStorage } from './workers/shared-storage.ts'
export { createSharedStorage, shareStorage } from './workers/shared-storage.ts'
export type { WorkerOptions } from './workers/worker.ts'
export { serveAsWorker } from './workers/worker.ts'
export type { ErrorCode } from './world/errors.ts'
export { WorldFault } from './world/errors.ts'
export type { WorldDescription } from './world/world.ts'
