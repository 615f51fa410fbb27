/** Where the sources of a world are loaded: here where there is little to do, else apart. */
import { statSync } from 'node:fs'
import type { Storage } from '@worldwright/server'
import type { Settings } from '../open/settings.ts'
import type { Workspace } from '../open/workspace.ts'
import type { Io } from '../terminal/io.ts'
import { apart } from './apart.ts'
import { type Differences, loadSources, nothingToLoad, sourceFiles } from './load-sources.ts'

/** Files of so many bytes together are loaded sooner than a thread has started. */
const SMALL_SOURCES = 1024 * 1024
/** And in a store of so many bytes, deleting all and weighing anew takes no longer. */
const SMALL_STORE = 16 * 1024 * 1024

/**
 * As `loadSources`, whose faults may have lost their class: tell them by name. Answers go on meanwhile.
 */
export async function load(
  workspace: Workspace,
  storage: Storage,
  settings: Settings,
  again: boolean,
  io: Io,
): Promise<Differences | undefined> {
  if (await isLittle(workspace)) return loadSources(workspace, settings, again, io)
  // At the start nobody waits for answers yet, and mostly all is loaded already.
  if (!again && (await nothingToLoad(workspace, storage, settings))) return undefined
  return apart('loadSources', [workspace, settings, again], io)
}

async function isLittle(workspace: Workspace): Promise<boolean> {
  const sources = await sourceFiles(workspace)
  const isPacked = sources.some(({ source }) => /\.gz$/i.test(source.name))
  const bytes = sources.reduce((sum, { source }) => sum + (source.size ?? 0), 0)
  const stored = statSync(workspace.storeFile, { throwIfNoEntry: false })?.size ?? 0
  return !isPacked && bytes <= SMALL_SOURCES && stored <= SMALL_STORE
}
