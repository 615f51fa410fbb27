/** Publish a world of typed entities: the request handler, its adapters, storage, and what fills it. */

export { toFetch } from './adapters/fetch.ts'
export type { Answering, Listening, ListenOptions } from './adapters/node.ts'
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
export { csvExport } from './publish/exporting/csv-export.ts'
export { ndjsonExport } from './publish/exporting/ndjson-export.ts'
export type { ImportResult } from './publish/importing/import-records.ts'
export { importRecords } from './publish/importing/import-records.ts'
export type { Fingerprint, LoadedSources } from './publish/importing/loaded-sources.ts'
export {
  definedSources,
  digested,
  fingerprintOf,
  loadedNotes,
  loadedSources,
  touchedTypes,
} from './publish/importing/loaded-sources.ts'
export type {
  ImportOptions,
  ImportProgress,
  ImportSource,
  ImportWarning,
  Rejection,
} from './publish/importing/options.ts'
export type { Dangling, DanglingReport } from './publish/importing/references.ts'
export { ImportRefused, ImportShrunk, ImportStopped } from './publish/importing/refusals.ts'
export { declaredTypes } from './publish/listing/declared-types.ts'
export { effectiveTypes } from './publish/listing/effective-types.ts'
export type { Proposal, ProposalInput } from './publish/proposing/propose-definition.ts'
export { proposeDefinition } from './publish/proposing/propose-definition.ts'
export { ColumnFault } from './publish/reading/csv.ts'
export { formatFromName, type SourceFormat } from './publish/reading/formats.ts'
export type { PathOptions, RecordSource } from './publish/reading/record-source.ts'
export {
  definitionFiles,
  REJECTED,
  SCHEMA_NAME,
  SourceFault,
  sourceFromFile,
  sourcesFromPath,
} from './publish/reading/record-source.ts'
export type { Validator, Verdict } from './publish/schema/validator.ts'
export { createValidator, SchemaFault } from './publish/schema/validator.ts'
export { describingTypes } from './publish/types/describing-storage.ts'
export { searchWeights } from './publish/types/search-weights.ts'
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
