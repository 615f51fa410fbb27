/** Resolves command-line arguments to a definition and a store. */
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { type OpenOptions, openStore, type StoreLocation, storeAt, storeUrl } from '@worldwright/engines'
import { withTypeInference } from '@worldwright/entities/types'
import { keptUpstream } from '@worldwright/extensions/replica'
import {
  type DefinedWorld,
  emptyDefinition,
  findDefinition,
  loadedSources,
  REJECTED,
  readDefinition,
} from '@worldwright/publish'
import { formatsOfFile } from '@worldwright/publish/formats'
import { stack } from '../layers/stack.ts'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { shellWord } from '../terminal/visible.ts'

/** A definition, the folder that its paths are relative to, and its store, as plain data. */
export interface Workspace extends Omit<DefinedWorld, 'environment'> {
  /** URL of the store, which may not exist yet. */
  readonly store: string
}

/** Default store, next to the definition. */
export const DEFAULT_STORE = 'sqlite:world.db'

/**
 * Resolves the workspace to serve: the definition at `path` or in the current folder, and the store named by the flag, the
 * environment or the definition. Without a definition, the flag or the environment must name an existing store.
 */
export async function workspaceToServe(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<Workspace> {
  const where = resolve(io.cwd, path ?? '.')
  const file = await findDefinition(where)
  if (file !== undefined) await refuseData(file, path ?? file)
  const store = storeFlag ?? fromEnv(io, 'WORLD_STORE')
  if (file !== undefined) return definedWorkspace(file, store, io)
  if (store === undefined) {
    throw new UsageFault(
      `There is no world.yaml in ${where}. Make one with world init, name the folder of a world, or an existing ` +
        'store: --store sqlite:FILE',
    )
  }
  const url = storeUrl(store, io.cwd)
  const found = await storeAt(url)
  if (!(await found.exists()))
    throw new UsageFault(`There is no store ${found.name}. Load one with: npx worldwright import`)
  return { definition: emptyDefinition(), folder: where, store: url }
}

/**
 * Resolves the workspace to import into: the store named by the flag or the environment, or the store of the definition in
 * the current folder. The source options and schemas of that definition apply in either case.
 */
export async function workspaceToFill(
  storeFlag: string | undefined,
  io: Pick<Io, 'env' | 'cwd'>,
): Promise<Workspace> {
  const store = storeFlag ?? fromEnv(io, 'WORLD_STORE')
  const file = existsSync(io.cwd) ? await findDefinition(io.cwd) : undefined
  if (file !== undefined) return definedWorkspace(file, store, io)
  if (store === undefined)
    throw new UsageFault('There is no world.yaml here, so name the store to fill: --store sqlite:FILE')
  return { definition: emptyDefinition(), folder: io.cwd, store: storeUrl(store, io.cwd) }
}

/** Resolves the workspace of an existing store: a named one, or that of a definition, at `path` or in the current folder. */
export async function existingWorkspace(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<Workspace> {
  const workspace = await workspaceToServe(path, storeFlag, io)
  const found = await storeAt(workspace.store)
  if (!(await found.exists()))
    throw new UsageFault(`There is no store ${found.name} yet. Fill it with: npx worldwright import`)
  return workspace
}

/** Returns the location of an existing store, resolved as by `existingWorkspace`. */
export async function existingStore(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<StoreLocation> {
  const { store } = await existingWorkspace(path, storeFlag, io)
  return storeAt(store)
}

/** Keeps all tombstones: only the process that serves a world knows their retention. */
const FORGETS_NOTHING: OpenOptions = { deletionsKeptMs: Number.POSITIVE_INFINITY }

/** Runs `work` on a store opened for writing, with type inference. Closes the store even if the work fails. */
export async function withStore<T>(
  url: string,
  work: (store: Store) => Promise<T>,
  options = FORGETS_NOTHING,
): Promise<T> {
  const store = await stack(await openStore(url, { ...options, role: 'writer' }), {
    types: withTypeInference,
  })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Runs `work` on a store opened for reading, even on a read-only file system. */
export async function withReader<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, { role: 'reader' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Warns that a store lacks entities, because the first load of its sources was interrupted or still runs. */
export async function warnIfPartial(store: Store, io: Io): Promise<void> {
  if (!(await loadedSources(store))?.isPartial) return
  say(io, 'warning: the first load of the sources is not complete: types and entities are missing.', 'warn')
}

/** Runs `work` like `withStore`. @throws UsageFault if the store is a replica of another world */
export async function withOwnStore<T>(
  url: string,
  work: (store: Store) => Promise<T>,
  options = FORGETS_NOTHING,
): Promise<T> {
  const own = async (store: Store) => {
    const upstream = (await keptUpstream(store))?.origin
    if (upstream === undefined) return work(store)
    throw new UsageFault(
      `This store is a replica of ${upstream}, which alone is written to. Serve it with: npx worldwright serve --follow ${upstream}`,
    )
  }
  return withStore(url, own, options)
}

/** Runs `work` like `withStore`, or on a temporary empty store if the store does not exist. */
export async function withStoreToTry<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  if (await (await storeAt(url)).exists()) return withStore(url, work)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  try {
    return await withStore(storeUrl(DEFAULT_STORE, folder), work)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the path of a workspace's rejects file: next to its store, or in its folder if the store is not a file. */
export async function rejectsBeside({ store, folder }: Pick<Workspace, 'store' | 'folder'>): Promise<string> {
  const { file, needsWriter } = await storeAt(store)
  return (needsWriter ? join(folder, 'world') : (file ?? join(folder, 'world'))) + REJECTED
}

/** Refuses a data file given as the definition, since a YAML parser would report an error in every line. */
async function refuseData(file: string, called: string): Promise<void> {
  const [format] = formatsOfFile(file)
  const mayDefine = format === undefined || format.name === 'json' || format.name === 'yaml'
  if (mayDefine && !/\.gz$/i.test(file) && !(format?.name === 'json' && (await beginsAsArray(file)))) return
  throw new UsageFault(
    `${called} is ${format?.isTable ? 'a table' : 'data'}. Make a definition of it with: npx worldwright init ${shellWord(called)}`,
  )
}

async function beginsAsArray(file: string): Promise<boolean> {
  let head = ''
  for await (const chunk of createReadStream(file, { end: 1_023, encoding: 'utf8' })) head += chunk
  return head.trimStart().startsWith('[')
}

async function definedWorkspace(
  file: string,
  store: string | undefined,
  io: Pick<Io, 'cwd'>,
): Promise<Workspace> {
  const { definition } = await readDefinition(file)
  const folder = dirname(file)
  const url =
    store === undefined ? storeUrl(definition.store ?? DEFAULT_STORE, folder) : storeUrl(store, io.cwd)
  return { definition, file, folder, store: url }
}
