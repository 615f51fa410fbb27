/** Actions beyond `wp:discover`, each two schemas and a function, written by an embedder or in files beside a world. */
export { ACTIONS_FOLDER, ActionFileFault, actionFiles, loadActions } from './action-files.ts'
export type { ActionDefinition, HandlerContext } from './define-action.ts'
export { defineAction } from './define-action.ts'
export type { ReaderSearch, WorldReader } from './world-reader.ts'
export type { EntityContent, WorldWriter, WrittenOnlyIf } from './world-writer.ts'
