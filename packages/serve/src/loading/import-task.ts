/** Work of `world import`, in a thread or not: from typed arguments to a load. */
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

/** The flags of `world import`, as they were typed. */
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

/** Typed arguments, and the environment they were typed in. */
export interface ImportInput extends Pick<Io, 'env' | 'cwd'> {
  readonly files: readonly string[]
  readonly flags: ImportFlags
  /** Stream that `-` among the files stands for. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
}

/** Precedes the events of the load: the arguments are valid, and this is their meaning. */
export interface OpenedEvent {
  readonly event: 'opened'
  /** Name of the definition in effect, if there is one. */
  readonly definition?: string | undefined
  /** Absolute path of the list of rejected records; absent if there is none. */
  readonly rejects?: string | undefined
}

/** Events of an import: `opened`, then those of the load; finally its result. */
export type ImportEvents = AsyncGenerator<OpenedEvent | LoadEvent, ImportResult>

/**
 * Loads all valid records of the files in one step, as fast as `follow` takes the events, and returns its result.
 * @throws UsageFault, and as `loadFiles`
 */
export async function importFiles<Result>(
  { files, flags, env, cwd, stdin }: ImportInput,
  follow: (events: ImportEvents) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  checkType(flags)
  const workspace = await workspaceToFill(flags.store, { env, cwd })
  const { definition, file, folder, store } = workspace
  const { onInvalid } = settingsFrom(definition, flags as SettingFlags, { env })
  const rejects = await ownRejectsPath(files, workspace, flags, cwd)
  // A list that cannot be written is reported before anything is loaded.
  createRejectsFile(rejects, isRead(rejects, files, cwd))
  // Checked before there is a store: a missing file must not create one.
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
  return open(store, (storage) => follow(after(opened, loadFiles({ ...load, storage }))))
}

async function* after(first: OpenedEvent, events: AsyncGenerator<LoadEvent, ImportResult>): ImportEvents {
  yield first
  return yield* events
}

/**
 * Returns the path of the list of rejected records; in a dry run only if a file is named for it.
 * @throws UsageFault if that is the store or an input
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
