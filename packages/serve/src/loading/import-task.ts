/** Task of `world import`, which loads files into a store, in a thread or in the main thread. */
import { basename, resolve } from 'node:path'
import { storeAt } from '@worldwright/engines'
import { entityFromRecord } from '@worldwright/entities'
import { type ImportResult, type LoadEvent, loadFiles, sourcesFromPath } from '@worldwright/publish'
import type { OnInvalid } from '@worldwright/publish/settings'
import type { ReadingOptions } from '../open/origin.ts'
import { type SettingFlags, settingsFrom } from '../open/settings.ts'
import {
  rejectsBeside,
  type Workspace,
  withOwnStore,
  withStoreToTry,
  workspaceToFill,
} from '../open/workspace.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { createRejectsFile, isRead } from '../terminal/rejects-file.ts'

/** Flags of `world import` as given on the command line. */
export interface ImportFlags extends Pick<ReadingOptions, 'json' | 'token' | 'tokenOrigin'> {
  readonly store?: string
  readonly type?: string
  readonly format?: string
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly onInvalid?: OnInvalid
  readonly rejects?: string
  /** Origin of a world to write to, instead of a store. */
  readonly to?: string
}

/** Arguments and environment of one import. */
export interface ImportInput extends Pick<Io, 'env' | 'cwd'> {
  readonly files: readonly string[]
  readonly flags: ImportFlags
  /** Stream to read for the file name `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
}

/** First event of an import, sent after the arguments have been validated and before the load starts. */
export interface OpenedEvent {
  readonly event: 'opened'
  /** File name of the definition that applies; undefined if there is none. */
  readonly definition?: string | undefined
  /** Absolute path of the rejects file; absent if there is none. */
  readonly rejects?: string | undefined
}

/** Events of an import: `opened`, then those of the load. The generator returns the result. */
export type ImportEvents = AsyncGenerator<OpenedEvent | LoadEvent, ImportResult>

/**
 * Loads all valid records of the files in one step. Passes the events to `follow`, and returns its result.
 * @throws UsageFault, and the errors of `loadFiles`
 */
export async function importFiles<Result>(
  { files, flags, env, cwd, stdin }: ImportInput,
  follow: (events: ImportEvents) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  checkType(flags)
  const workspace = await workspaceToFill(flags.store, { env, cwd })
  const { definition, file, folder, store: url } = workspace
  const { onInvalid } = settingsFrom(definition, flags as SettingFlags, { env })
  const rejects = await ownRejectsPath(files, workspace, flags, cwd)
  // Before anything is loaded, report a rejects file that cannot be written.
  createRejectsFile(rejects, isRead(rejects, files, cwd))
  // Check the files before the store is created: a missing file must not create one.
  await Promise.all(files.map((name) => name === '-' || sourcesFromPath(resolve(cwd, name), name)))
  const opened: OpenedEvent = { event: 'opened', definition: file && basename(file), rejects }
  const load = {
    ...flags,
    files: files.map((name) => (name === '-' && stdin ? { name, bytes: stdin } : name)),
    base: cwd,
    onInvalid,
    except: rejects === undefined || isRead(rejects, files, cwd) ? [] : [rejects],
    world: file === undefined ? undefined : { definition, file, folder },
    signal,
  }
  const open = flags.dryRun ? withStoreToTry : withOwnStore
  return open(url, (store) => follow(after(opened, loadFiles({ ...load, store }))))
}

async function* after(first: OpenedEvent, events: AsyncGenerator<LoadEvent, ImportResult>): ImportEvents {
  yield first
  return yield* events
}

/**
 * Returns the path of the rejects file, or undefined in a dry run without `--rejects`.
 * @throws UsageFault if the path is the store or an input
 */
async function ownRejectsPath(
  files: readonly string[],
  workspace: Workspace,
  { rejects, dryRun }: ImportFlags,
  cwd: string,
): Promise<string | undefined> {
  const byDefault = dryRun ? undefined : await rejectsBeside(workspace)
  const path = rejects === undefined ? byDefault : resolve(cwd, rejects)
  const { file: storeFile } = await storeAt(workspace.store)
  const isOther = path === storeFile || (isRead(path, files, cwd) && path !== byDefault)
  if (path !== undefined && isOther)
    throw new UsageFault('--rejects names a file that is read or written as something else. Name another.')
  return path
}

function checkType({ type }: ImportFlags): void {
  if (type === undefined) return
  const attempt = entityFromRecord({ id: 'any' }, { type })
  if ('faults' in attempt) throw new UsageFault(`--type ${type}: ${attempt.faults[0]?.message}.`)
}
