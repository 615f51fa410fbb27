/** Publish a world of typed entities: the request handler, its adapters, storage, and what fills it. */

export { toFetch } from './adapters/fetch.ts'
export type { Listening, ListenOptions } from './adapters/node.ts'
export { listen, nodeListener } from './adapters/node.ts'
export type { LogEvent, WorldHandler, WorldOptions } from './handler/handler.ts'
export { createWorld } from './handler/handler.ts'
export type { Route, RouteHandler, RouteParams, WorldRequest, WorldResponse } from './handler/http.ts'
export type { OriginOptions } from './handler/origins.ts'
export type { DefinitionFile, DefinitionProblem, Source, WorldDefinition } from './publish/definition.ts'
export { DefinitionFault, emptyDefinition, findDefinition, readDefinition } from './publish/definition.ts'
export { effectiveTypes } from './publish/derive-types.ts'
export type {
  ImportOptions,
  ImportProgress,
  ImportResult,
  ImportSource,
  ImportWarning,
  Rejection,
} from './publish/import-records.ts'
export { importRecords } from './publish/import-records.ts'
export type { EntityFromRecord, RecordDefaults } from './publish/record.ts'
export { entityFromRecord } from './publish/record.ts'
export type { RecordSource } from './publish/record-source.ts'
export { SourceFault, sourceFromFile } from './publish/record-source.ts'
export { WorldIdFault, worldId } from './publish/world-id.ts'
export type * from './storage/contract.ts'
export { StorageFault } from './storage/contract.ts'
export type { MemoryStorageOptions } from './storage/memory.ts'
export { createMemoryStorage } from './storage/memory.ts'
export { revisionOf } from './storage/prepared.ts'
export type { SqliteStorageOptions } from './storage/sqlite/open.ts'
export { openSqliteStorage } from './storage/sqlite/open.ts'
export type { ErrorCode } from './world/errors.ts'
export { WorldFault } from './world/errors.ts'
export type { WorldDescription } from './world/world.ts'
