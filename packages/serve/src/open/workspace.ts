/** Resolves typed arguments to a definition and a store. */
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { stack } from '@worldwright/core/store'
import { type OpenOptions, openStore, type StoreLocation, storeAt, storeUrl } from '@worldwright/engines'
import { withTypeInference } from '@worldwright/entities/types'
import { keptUpstream } from '@worldwright/extensions/replica'
import {
  emptyDefinition,
  findDefinition,
  REJECTED,
  readDefinition,
  type WorldDefinition,
} from '@worldwright/publish'
import { formatsOfFile } from '@worldwright/publish/formats'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'

/** A definition, the folder its paths are relative to, and its store. Plain data. */
export interface Workspace {
  readonly definition: WorldDefinition
  /** Absolute; absent if a store is used without a definition. */
  readonly file?: string
  readonly folder: string
  /** The URL of the store, which may not exist yet. */
  readonly store: string
}

/** Store of a definition that names none, beside the definition. */
export const DEFAULT_STORE = 'sqlite:world.db'

/**
 * Resolves what to serve: the definition at `path`, by default the one in the current folder, and the store that the flag, the
 * environment or the definition names; without a definition, an existing store that flag or environment names.
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
 * Resolves what to import to: the store that the flag or the environment names, else that of the current folder's definition.
 * That definition applies in either case: it says how sources are read and what schemas hold.
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

/** Resolves a store that must exist: that of the definition at `path` or here, or the one that is named. */
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

/** Returns the store of `existingWorkspace`, for operations on it as a whole. */
export async function existingStore(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<StoreLocation> {
  const { store } = await existingWorkspace(path, storeFlag, io)
  return storeAt(store)
}

/** Only the process that serves a world knows the retention of its tombstones: others drop none. */
const FORGETS_NOTHING: OpenOptions = { deletionsKeptMs: Number.POSITIVE_INFINITY }

/** Runs `work` on a store that describes its types, and closes the store even if the work fails. */
export async function withStore<T>(
  url: string,
  work: (storage: Store) => Promise<T>,
  options = FORGETS_NOTHING,
): Promise<T> {
  const storage = await stack(await openStore(url, { ...options, role: 'writer' }), {
    types: withTypeInference,
  })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Runs `work` on a store opened for reading only, which works on a read-only file system too. */
export async function withReader<T>(url: string, work: (storage: Store) => Promise<T>): Promise<T> {
  const storage = await openStore(url, { role: 'reader' })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Runs `work` as `withStore` does, to write to the store. @throws UsageFault if the store is a replica of another world */
export async function withOwnStore<T>(
  url: string,
  work: (storage: Store) => Promise<T>,
  options = FORGETS_NOTHING,
): Promise<T> {
  const own = async (storage: Store) => {
    const upstream = (await keptUpstream(storage))?.origin
    if (upstream === undefined) return work(storage)
    throw new UsageFault(
      `This store is a copy of ${upstream}, which alone is written to. Serve it with: npx worldwright serve --follow ${upstream}`,
    )
  }
  return withStore(url, own, options)
}

/** Runs `work` as `withStore` does; if the store does not exist, on an empty one that is deleted afterwards. */
export async function withStoreToTry<T>(url: string, work: (storage: Store) => Promise<T>): Promise<T> {
  if (await (await storeAt(url)).exists()) return withStore(url, work)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  try {
    return await withStore(storeUrl(DEFAULT_STORE, folder), work)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the path of a workspace's list of rejected records: beside its store, or in its folder if the store is no file. */
export async function rejectsBeside({ store, folder }: Pick<Workspace, 'store' | 'folder'>): Promise<string> {
  const { file, needsWriter } = await storeAt(store)
  return (needsWriter ? join(folder, 'world') : (file ?? join(folder, 'world'))) + REJECTED
}

/** Refuses a file of records: it is no definition, and as YAML every line would be wrong. */
async function refuseData(file: string, called: string): Promise<void> {
  const [format] = formatsOfFile(file)
  const mayDefine = format === undefined || format.name === 'json' || format.name === 'yaml'
  if (mayDefine && !/\.gz$/i.test(file) && !(format?.name === 'json' && (await beginsAsArray(file)))) return
  throw new UsageFault(
    `${called} is ${format?.isTable ? 'a table' : 'data'}. Make a definition of it with: npx worldwright init ${called}`,
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
