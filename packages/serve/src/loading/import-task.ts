/** What `world import` does, in a thread or not: from what was typed to a load. */
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
  /** The origin of a world to write to, in place of a store. */
  readonly to?: string
}

/** What was typed, and where. */
export interface ImportInput extends Pick<Io, 'env' | 'cwd'> {
  readonly files: readonly string[]
  readonly flags: ImportFlags
  /** What `-` among the files stands for. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
}

/** Comes before the events of the load: the arguments are right, and this is what they mean. */
export interface OpenedEvent {
  readonly event: 'opened'
  /** The name of the definition that counts, if there is one. */
  readonly definition?: string | undefined
  /** Where rejected records are listed, absolute; absent where nowhere. */
  readonly rejects?: string | undefined
}

/** The events of an import: what was meant, then those of the load; last its result. */
export type ImportEvents = AsyncGenerator<OpenedEvent | LoadEvent, ImportResult>

/**
 * Loads all good records of the files in one step, as fast as `follow` takes the events; what that makes of them.
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
  // What would stand in the way of the list is said before anything is loaded.
  createRejectsFile(rejects, isRead(rejects, files, cwd))
  // Before there is a store: a file that is not there is no reason to make one.
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
 * Where rejected records are listed: in a dry run only where a file is named for them.
 * @throws UsageFault where that is the store, or a file that is to be read
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
