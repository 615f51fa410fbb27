/** Loading the files that somebody names, whatever is served from the store. */
import { basename, relative, resolve } from 'node:path'
import {
  definitionFiles,
  entityFromRecord,
  type ImportSource,
  importRecords,
  REJECTED,
  type SourceFormat,
  searchWeights,
  sourcesFromPath,
} from '@worldwright/server/publish'
import type { OnInvalid } from '@worldwright/server/settings'
import { importSource } from '../open/import-source.ts'
import { type SettingFlags, settingsFrom } from '../open/settings.ts'
import { type Workspace, withStore, withStoreToTry, workspaceToFill } from '../open/workspace.ts'
import { FAILED } from '../terminal/failure.ts'
import { createWarningTally, reportLines } from '../terminal/import-report.ts'
import { Interrupted, type Io, UsageFault } from '../terminal/io.ts'
import { createNamingHint } from '../terminal/naming-hint.ts'
import { say, writeLine } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'
import { jsonText } from '../terminal/visible.ts'
import { MEND, withWayOut } from './column-fault.ts'

/** The flags of `world import`. */
export interface ImportFlags {
  readonly store?: string
  readonly type?: string
  readonly format?: SourceFormat
  readonly json?: boolean
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly onInvalid?: OnInvalid
  readonly rejects?: string
}

const INTERRUPTED =
  'Interrupted. Nothing was loaded, and what was there before stands. Run the import again to load it.'

/** Loads all good records of the files in one step. Exit code 1 where any record was rejected. */
export async function importFiles(files: string[], options: ImportFlags, io: Io): Promise<number> {
  checkArguments(files, options)
  const workspace = await workspaceToFill(options.store, io)
  const { onInvalid } = settingsFrom(workspace.definition, options as SettingFlags, io)
  const rejects = createRejectsFile(ownRejectsPath(files, workspace, options, io))
  const sources = (await Promise.all(files.map((file) => sourcesOf(file, options, workspace, io)))).flat()
  const warnings = createWarningTally()
  const hint = createNamingHint((source) => idWayOut(source, workspace))
  const openStore = options.dryRun ? withStoreToTry : withStore
  const result = await openStore(workspace.storeFile, async (storage) => {
    if (workspace.file !== undefined && !options.dryRun)
      await storage.weigh(searchWeights(workspace.definition))
    const progress = createProgress(io)
    const stopping = () => {
      progress.end()
      say(io, 'Stopping…')
    }
    io.signal.addEventListener('abort', stopping)
    try {
      return await importRecords(storage, sources, {
        replace: options.replace,
        dryRun: options.dryRun,
        types: workspace.definition.types,
        onInvalid,
        onProgress: progress.show,
        onWarning: warnings.note,
        onReject: (rejection) => {
          rejects.note(rejection)
          hint.note(rejection)
        },
        signal: io.signal,
      })
    } catch (error) {
      // What was cut short by the signal may have failed for that.
      if (io.signal.aborted) throw new Interrupted(INTERRUPTED)
      throw withWayOut(error, ({ source }) =>
        sources.some((one) => one.source.name === source && one.mapping) ? MEND : idWayOut(source, workspace),
      )
    } finally {
      io.signal.removeEventListener('abort', stopping)
      progress.end()
      rejects.close()
    }
  })
  rejects.loaded()
  if (options.dryRun) say(io, 'A dry run: nothing was loaded.')
  for (const line of reportLines(result, warnings, rejects.path && relative(io.cwd, rejects.path)))
    say(io, line)
  for (const line of hint.lines(result)) say(io, line)
  if (options.json) await writeLine(io.stdout, jsonText(result))
  return result.rejected > 0 ? FAILED : 0
}

/** Where rejected records are listed: in a dry run only where a file is named for them. */
function rejectsPath({ storeFile }: Workspace, { rejects, dryRun }: ImportFlags, io: Io) {
  if (rejects !== undefined) return resolve(io.cwd, rejects)
  return dryRun ? undefined : storeFile + REJECTED
}

/** As `rejectsPath`. @throws UsageFault where that is the store, or a file that is to be read */
function ownRejectsPath(files: readonly string[], workspace: Workspace, options: ImportFlags, io: Io) {
  const path = rejectsPath(workspace, options, io)
  const others = [
    workspace.storeFile,
    ...files.filter((file) => file !== '-').map((file) => resolve(io.cwd, file)),
  ]
  if (path !== undefined && others.includes(path))
    throw new UsageFault('--rejects names a file that is read or written as something else. Name another.')
  return path
}

function checkArguments(files: readonly string[], { type }: ImportFlags): void {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageFault('The standard input can be read only once.')
  if (type === undefined) return
  const tried = entityFromRecord({ id: 'any' }, { type })
  if ('faults' in tried) throw new UsageFault(`--type ${type}: ${tried.faults[0]?.message}.`)
}

/** What is to be read for one argument: as the definition has it, where it names this file as a source. */
async function sourcesOf(
  file: string,
  options: ImportFlags,
  workspace: Workspace,
  io: Io,
): Promise<ImportSource[]> {
  const { type, format } = options
  const path = resolve(io.cwd, file)
  const definedAt = (at: string) =>
    workspace.definition.sources.find((one) => resolve(workspace.folder, one.file) === at)
  const rejects = rejectsPath(workspace, options, io)
  const except = [
    ...(workspace.file === undefined ? [] : definitionFiles(workspace.file)),
    ...(rejects === undefined ? [] : [rejects]),
  ]
  const found =
    file === '-'
      ? [{ name: '-', bytes: io.stdin }]
      : await sourcesFromPath(path, file, { except, signal: io.signal })
  return found.map((source) => {
    const defined = definedAt(path) ?? definedAt(resolve(io.cwd, source.name))
    return {
      ...(defined && importSource(defined)),
      source,
      ...(type !== undefined && { type }),
      ...(format !== undefined && { format }),
    }
  })
}

/** What to do where a source that no definition names has no ids. */
function idWayOut(source: string, { file }: Workspace): string {
  if (file !== undefined)
    return `Name ${source} among the sources of ${basename(file)}, and say there what its id is.`
  const made =
    source === '-' ? 'write it to a file, then: npx worldwright init FILE' : `npx worldwright init ${source}`
  return `A definition says what the id is. Make one: ${made}`
}
