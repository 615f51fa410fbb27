/** Conversion of an operator's files to entities, with definitions, formats, loading and exports. */

export { SourceFault } from './bytes/source-fault.ts'
export { isServer, type NamedServer, namedServer } from './databases/server-address.ts'
export type {
  DefinitionFile,
  DefinitionProblem,
  Source,
  WorldDefinition,
} from './definition/definition.ts'
export {
  DefinitionFault,
  definitionFromText,
  emptyDefinition,
  findDefinition,
  problemIn,
  readDefinition,
} from './definition/definition.ts'
export { definitionSchema } from './definition/definition-checks.ts'
export { indexRules } from './definition/index-rules.ts'
export { readLook } from './definition/look.ts'
export { readStories, STORIES_FOLDER, storyFile } from './definition/stories.ts'
export { keptWorldId, WorldIdFault, worldId } from './definition/world-id.ts'
export type {
  FileTable,
  Format,
  FormatInput,
  FormatOptions,
  WriteOptions,
  Writer,
} from './formats/contract/format.ts'
export { exportPieces, formats, registerFormat } from './formats/formats.ts'
export { ColumnFault, type ListedColumn } from './formats/table/columns.ts'
export type { PathOptions, RecordSource } from './input/record-source.ts'
export {
  definitionFiles,
  REJECTED,
  SCHEMA_NAME,
  sourceFromFile,
  sourcesFromPath,
} from './input/record-source.ts'
export { type BrokenType, brokenEntities } from './load/broken-entities.ts'
export type { Dangling, DanglingReport } from './load/dangling-references.ts'
export { deleteType } from './load/delete-type.ts'
export type { Kept, KeptReason } from './load/doubts.ts'
export type {
  ImportEvent,
  ImportProgress,
  ImportWarning,
  LoadEvent,
  Rejection,
  SourceToRead,
} from './load/events.ts'
export { resultOf } from './load/events.ts'
export { type ImportResult, importRecords } from './load/import-records.ts'
export { type FilesLoad, loadFiles } from './load/load-files.ts'
export { type LoadResult, loadWorld, type WorldLoad } from './load/load-world.ts'
export { type LoadedSources, loadedSources } from './load/loaded-sources.ts'
export type { ImportOptions, ImportSource } from './load/options.ts'
export { ImportRefused, ImportShrunk, ImportStopped } from './load/refusals.ts'
export type { DefinedWorld, NamedFiles } from './load/sources.ts'
export { definedSources, refreshInterval, sourceFiles } from './load/sources.ts'
export type { Mapping } from './mapping/mapping.ts'
export type { ColumnChoice, TableChoice } from './scaffold/choices.ts'
export { KINDS, type Kind } from './scaffold/propose-form.ts'
export {
  type ProposedTable,
  proposeDefinition,
  type Scaffold,
  type ScaffoldInput,
  type SurveyedTables,
  scaffoldDefinition,
  surveyTables,
} from './scaffold/scaffold.ts'
export { isInputName, type ScaffoldTable, scaffoldTables, type TablesWanted } from './scaffold/tables.ts'
export type { Trial } from './scaffold/trial.ts'
export type { ListedReference, ListedTable, ListOptions } from './tables/list-tables.ts'
export { listDatabase, listTables } from './tables/list-tables.ts'
