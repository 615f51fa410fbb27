/** From what was typed to a definition and an open store. */
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Storage } from '@worldwright/server'
import {
  describingTypes,
  emptyDefinition,
  findDefinition,
  formatFromName,
  readDefinition,
  type WorldDefinition,
} from '@worldwright/server/publish'
import { openSqliteStorage } from '@worldwright/server/sqlite'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'

/** A definition, the folder its paths are relative to, and the file of its store. */
export interface Workspace {
  readonly definition: WorldDefinition
  /** Absolute; absent where a store is used without a definition. */
  readonly file?: string
  readonly folder: string
  readonly storeFile: string
}

/** The store of a definition that names none, beside it. */
const DEFAULT_STORE = 'world.db'

/**
 * What to work on: the definition at `path`, by default the one in the current folder, and the store that the flag,
 * the environment or the definition names; without a definition, the existing store that the flag names.
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
  const storeFile = storeFileFrom(store, io.cwd)
  if (!existsSync(storeFile))
    throw new UsageFault(`There is no store ${storeFile}. Load one with: npx worldwright import`)
  return { definition: emptyDefinition(), folder: where, storeFile }
}

/**
 * Where to import to: the store that the flag or the environment names, else that of the current folder's definition.
 * The definition there counts in either case: it says how sources are read and what schemas hold.
 */
export async function workspaceToFill(storeFlag: string | undefined, io: Io): Promise<Workspace> {
  const store = storeFlag ?? fromEnv(io, 'WORLD_STORE')
  const file = existsSync(io.cwd) ? await findDefinition(io.cwd) : undefined
  if (file !== undefined) return definedWorkspace(file, store, io)
  if (store === undefined)
    throw new UsageFault('There is no world.yaml here, so name the store to fill: --store sqlite:FILE')
  return { definition: emptyDefinition(), folder: io.cwd, storeFile: storeFileFrom(store, io.cwd) }
}

/** A store that has to exist already: of the definition at `path` or here, or the one that is named. */
export async function existingWorkspace(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<Workspace> {
  const workspace = await workspaceToServe(path, storeFlag, io)
  if (!existsSync(workspace.storeFile)) throw new UsageFault(`There is no store ${workspace.storeFile} yet.`)
  return workspace
}

/** Runs `work` on a store that describes its types, and closes it, whatever comes of the work. */
export async function withStore<T>(file: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = describingTypes(openSqliteStorage(file))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** As `withStore`; where there is no such store, on an empty one that is gone afterwards. */
export async function withStoreToTry<T>(file: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  if (existsSync(file)) return withStore(file, work)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  try {
    return await withStore(join(folder, DEFAULT_STORE), work)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The file that a store written as `sqlite:FILE` is. @throws UsageFault */
export function storeFileFrom(store: string, base: string): string {
  const file = /^sqlite:(.+)$/s.exec(store)?.[1]
  if (file === undefined)
    throw new UsageFault(`A store is written sqlite:FILE, such as --store sqlite:world.db; this is ${store}`)
  return resolve(base, file)
}

/** A file of records is no definition, and as YAML it would be wrong on every line. */
async function refuseData(file: string, called: string): Promise<void> {
  const format = formatFromName(file)
  const isTable = format === 'csv' || format === 'tsv'
  const isData = isTable || format === 'ndjson' || format === 'markdown' || /\.gz$/i.test(file)
  if (!isData && !(format === 'jsonish' && (await beginsAsArray(file)))) return
  throw new UsageFault(
    `${called} is ${isTable ? 'a table' : 'data'}. Make a definition of it with: npx worldwright init ${called}`,
  )
}

async function beginsAsArray(file: string): Promise<boolean> {
  let head = ''
  for await (const chunk of createReadStream(file, { end: 1_023, encoding: 'utf8' })) head += chunk
  return head.trimStart().startsWith('[')
}

async function definedWorkspace(file: string, store: string | undefined, io: Io): Promise<Workspace> {
  const { definition } = await readDefinition(file)
  const folder = dirname(file)
  const storeFile =
    store === undefined
      ? storeFileFrom(definition.store ?? `sqlite:${DEFAULT_STORE}`, folder)
      : storeFileFrom(store, io.cwd)
  return { definition, file, folder, storeFile }
}
