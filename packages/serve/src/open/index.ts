export { attachmentsFolder } from './attachments-folder.ts'
export { type ExplorerFile, explorerFiles, openExplorer } from './explorer-files.ts'
export { connectTo, originFrom, type ReadingOptions, tokenFrom, waysWithoutPath } from './origin.ts'
export { readingProfile } from './reading-profile.ts'
export { type SettingFlags, settingsFrom, shownSettings } from './settings.ts'
export {
  DEFAULT_STORE,
  existingStore,
  existingWorkspace,
  type Workspace,
  warnIfPartial,
  withOwnStore,
  withReader,
  withStore,
  workspaceToFill,
  workspaceToServe,
} from './workspace.ts'
