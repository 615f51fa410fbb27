/** `world import`: loads the named files into a store. */
import { basename, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Transferable } from 'node:worker_threads'
import {
  entityFromRecord,
  type ImportResult,
  type LoadEvent,
  type SourceFormat,
  sourcesFromPath,
} from '@worldwright/server/publish'
import type { OnInvalid } from '@worldwright/server/settings'
import { storeAt } from '@worldwright/server/stores'
import { followLoad } from '../loading/follow-load.ts'
import { runInThread } from '../loading/run-in-thread.ts'
import { type SettingFlags, settingsFrom } from '../open/settings.ts'
import { rejectsBeside, type Workspace, workspaceToFill } from '../open/workspace.ts'
import { FAILED } from '../terminal/failure.ts'
import { Interrupted, type Io, UsageFault } from '../terminal/io.ts'
import { createNamingHint } from '../terminal/naming-hint.ts'
import { say, writeLine } from '../terminal/output.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'
import { jsonText } from '../terminal/visible.ts'

/** The flags of `world import`, as they were typed. */
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
export async function importFiles(files: string[], flags: ImportFlags, io: Io): Promise<number> {
  checkArguments(files, flags)
  const workspace = await workspaceToFill(flags.store, io)
  const { onInvalid } = settingsFrom(workspace.definition, flags as SettingFlags, io)
  const path = await ownRejectsPath(files, workspace, flags, io)
  const rejects = createRejectsFile(path)
  // Before the store is made: a missing file is no reason to make one.
  await Promise.all(files.map((file) => file === '-' || sourcesFromPath(resolve(io.cwd, file), file)))
  const hint = createNamingHint((source) => idAdvice(source, workspace))
  const { result, lines } = await followLoad(
    loadInThread(files, { ...flags, onInvalid }, workspace, path, io),
    io,
    {
      openRejects: () => rejects,
      rejectsName: path && relative(io.cwd, path),
      onReject: hint.note,
      idAdvice: (source) => idAdvice(source, workspace),
      stopping: 'Stopping…',
    },
  ).catch((error: unknown) => {
    // The signal may have caused the error.
    throw io.signal.aborted ? new Interrupted(INTERRUPTED) : error
  })
  if (flags.dryRun) say(io, 'A dry run: nothing was loaded.')
  for (const line of [...lines, ...hint.lines(result)]) say(io, line)
  if (flags.json) await writeLine(io.stdout, jsonText(result))
  return result.rejected > 0 ? FAILED : 0
}

async function* loadInThread(
  files: readonly string[],
  { type, format, replace, dryRun, onInvalid }: ImportFlags,
  { definition, file, folder, store }: Workspace,
  rejectsPath: string | undefined,
  { stdin, cwd, signal }: Io,
): AsyncGenerator<LoadEvent, ImportResult> {
  const input = files.includes('-') ? (stdin instanceof Readable ? stdin : Readable.from(stdin)) : undefined
  const stream = input && (Readable.toWeb(input) as ReadableStream<Uint8Array> & Transferable)
  const load = {
    files: files.map((name) => (name === '-' && stream ? { name, bytes: stream } : name)),
    base: cwd,
    type,
    format,
    replace,
    dryRun,
    onInvalid,
    except: rejectsPath === undefined ? [] : [rejectsPath],
    world: file === undefined ? undefined : { definition, file, folder },
  }
  try {
    return yield* runInThread(
      { task: 'loadFiles', store, load },
      { signal, transfer: stream ? [stream] : [] },
    )
  } finally {
    // The process must not wait for input that nobody reads.
    input?.destroy()
  }
}

/**
 * Where rejected records are listed: in a dry run only where a file is named for them.
 * @throws UsageFault where that is the store, or a file that is to be read
 */
async function ownRejectsPath(
  files: readonly string[],
  workspace: Workspace,
  { rejects, dryRun }: ImportFlags,
  { cwd }: Io,
): Promise<string | undefined> {
  const byDefault = dryRun ? undefined : await rejectsBeside(workspace)
  const path = rejects === undefined ? byDefault : resolve(cwd, rejects)
  const { file: storeFile } = await storeAt(workspace.store)
  const others = [storeFile, ...files.filter((file) => file !== '-').map((file) => resolve(cwd, file))]
  if (path !== undefined && others.includes(path))
    throw new UsageFault('--rejects names a file that is read or written as something else. Name another.')
  return path
}

function checkArguments(files: readonly string[], { type }: ImportFlags): void {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageFault('The standard input can be read only once.')
  if (type === undefined) return
  const attempt = entityFromRecord({ id: 'any' }, { type })
  if ('faults' in attempt) throw new UsageFault(`--type ${type}: ${attempt.faults[0]?.message}.`)
}

/** What to do where a source that no definition names has no ids. */
function idAdvice(source: string, { file }: Workspace): string {
  if (file !== undefined)
    return `Name ${source} among the sources of ${basename(file)}, and say there what its id is.`
  const made =
    source === '-' ? 'write it to a file, then: npx worldwright init FILE' : `npx worldwright init ${source}`
  return `A definition says what the id is. Make one: ${made}`
}
