/** Loading what a definition names into its store: only where something changed, and never half. */
import { resolve } from 'node:path'
import type { Storage } from '@worldwright/server'
import {
  definedSources,
  definitionFiles,
  digested,
  type Fingerprint,
  fingerprintOf,
  type ImportSource,
  importRecords,
  loadedNotes,
  loadedSources,
  REJECTED,
  type RecordSource,
  searchWeights,
  touchedTypes,
  type WorldDefinition,
} from '@worldwright/server/publish'
import { importSource } from '../open/import-source.ts'
import type { Settings } from '../open/settings.ts'
import { type Workspace, withStore } from '../open/workspace.ts'
import { createWarningTally, reportLines } from '../terminal/import-report.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'
import { MEND, withWayOut } from './column-fault.ts'

/** Where what is served after a load differs from what the sources say. */
export interface Differences {
  /** Records that are left out. */
  readonly rejected: number
  /** Types of which nothing was deleted, since rejected records may belong to them or a source has no records. */
  readonly spared: readonly string[]
  /** Types of which nothing was deleted, since others wrote them as well. */
  readonly kept: readonly string[]
}

/**
 * Loads the sources into the workspace's store, if they are not what was loaded last, and weighs the attributes of their
 * types as the definition says. Undefined where they are what was loaded last. See `loadChanged`.
 */
export async function loadSources(
  workspace: Workspace,
  settings: Settings,
  again: boolean,
  io: Io,
): Promise<Differences | undefined> {
  return withStore(workspace.storeFile, async (storage) => {
    // What is there is served as it was until all is well; where nothing is there yet, the index is then built but once.
    if ((await storage.versions()).size === 0) await weigh(workspace, storage)
    const due = await dueFingerprint(workspace, storage, settings)
    const differences = due && (await loadChanged(workspace, storage, settings, io, again, due))
    await weigh(workspace, storage)
    return differences
  })
}

/** As `loadSources` where the sources are what was loaded last; false, with nothing done, where they are not. */
export async function nothingToLoad(
  workspace: Workspace,
  storage: Storage,
  settings: Settings,
): Promise<boolean> {
  if (await dueFingerprint(workspace, storage, settings)) return false
  await weigh(workspace, storage)
  return true
}

async function weigh({ file, definition }: Workspace, storage: Storage): Promise<void> {
  if (file !== undefined) await storage.weigh(searchWeights(definition))
}

/** The files of the workspace's sources, each with the source that names it. @throws SourceFault */
export async function sourceFiles({ definition, file, folder }: Workspace) {
  const except = file === undefined ? [] : definitionFiles(file)
  return definedSources(definition, (name) => resolve(folder, name), { except })
}

/** What the sources are; undefined where that is what was loaded last, or where nobody says what they are. */
async function dueFingerprint(
  workspace: Workspace,
  storage: Storage,
  { onInvalid }: Settings,
): Promise<Fingerprint | undefined> {
  const { definition } = workspace
  if (workspace.file === undefined) return undefined
  const before = await loadedSources(storage)
  if (definition.sources.length === 0 && before === undefined) return undefined
  const found = await sourceFiles(workspace)
  const files = found.map(({ source }) => source)
  const now = await fingerprintOf(definition, files, onInvalid)
  const isSame = before?.fingerprint.definition === now.definition && before.fingerprint.files === now.files
  return isSame ? undefined : now
}

/**
 * Loads the sources. With `again`, sources that have become worse than they were
 * (more bad records, or much less of a type) are refused as a whole. Types that were written by others meanwhile lose
 * nothing. @throws SourceFault, ImportRefused, ImportShrunk, ImportStopped; then what was loaded before stays
 */
async function loadChanged(
  workspace: Workspace,
  storage: Storage,
  settings: Settings,
  io: Io,
  again: boolean,
  fingerprint: Fingerprint,
): Promise<Differences> {
  const { definition, storeFile } = workspace
  let before = await loadedSources(storage)
  const isDefinedAsBefore = before?.fingerprint.definition === fingerprint.definition
  // Read once more: what is read for the fingerprint is not kept. What counts is what is read now.
  const found = await sourceFiles(workspace)
  const read = digested(found.map(({ source }) => source))
  const sources = found.map(
    ({ defined }, at): ImportSource => ({
      ...importSource(defined),
      source: read.sources[at] as RecordSource,
    }),
  )
  const progress = createProgress(io)
  const warnings = createWarningTally()
  const rejects = createRejectsFile(storeFile + REJECTED)
  try {
    const result = await importRecords(storage, sources, {
      replace: true,
      async keep(states) {
        // Another process may have loaded the same sources meanwhile.
        before = await loadedSources(storage)
        return touchedTypes(states, before)
      },
      formerly: Object.keys(before?.versions ?? {}),
      types: definition.types,
      onInvalid: settings.onInvalid,
      // Who has just written another definition means what it does.
      ...(again && { maxRejected: before?.rejected ?? 0, refuseLoss: isDefinedAsBefore }),
      onProgress: progress.show,
      onWarning: warnings.note,
      onReject: rejects.note,
      notes: (loaded) =>
        loadedNotes({ ...fingerprint, files: read.digest() ?? fingerprint.files }, before, loaded),
      signal: io.signal,
    })
    progress.end()
    rejects.loaded()
    for (const line of reportLines(result, warnings, rejects.path)) say(io, line)
    for (const type of undeclared(definition, result.types))
      say(io, `warning: the sources fill ${type}, which is not among the types of the definition.`)
    for (const type of result.kept)
      say(io, `${type} was also written by others, so what its sources no longer hold is kept.`)
    const { rejected, spared, kept } = result
    return { rejected, spared, kept }
  } catch (error) {
    throw withWayOut(error, () => MEND)
  } finally {
    progress.end()
    rejects.close()
  }
}

/** Where a definition names types, one that it does not name may be a slip. */
function undeclared({ types }: WorldDefinition, loaded: readonly string[]): string[] {
  if (types.length === 0) return []
  return loaded.filter((type) => types.every((declared) => declared.type !== type))
}
