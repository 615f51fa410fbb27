/** From what was typed to a definition and an open store. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  emptyDefinition,
  findDefinition,
  openSqliteStorage,
  readDefinition,
  type Storage,
  type WorldDefinition,
} from '@worldwright/server'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'

/** A definition, the folder its paths are relative to, and the file of its store. */
export interface Place {
  readonly definition: WorldDefinition
  readonly folder: string
  readonly storeFile: string
}

/** The store of a definition that names none, beside it. */
const DEFAULT_STORE = 'world.db'

/**
 * What to serve: the definition at `path`, by default the one in the current folder, and the store that the flag, the
 * environment or the definition names; without a definition, the existing store that the flag names.
 */
export async function placeToServe(
  path: string | undefined,
  storeFlag: string | undefined,
  io: Io,
): Promise<Place> {
  const where = resolve(io.cwd, path ?? '.')
  const file = await findDefinition(where)
  const store = storeFlag ?? fromEnv(io, 'WORLD_STORE')
  if (file !== undefined) return definedPlace(file, store, io)
  if (store === undefined) {
    throw new UsageFault(
      `There is no world.yaml in ${where}. Name the folder of a world, or an existing store: --store sqlite:FILE`,
    )
  }
  const storeFile = storeFileFrom(store, io.cwd)
  if (!existsSync(storeFile))
    throw new UsageFault(`There is no store ${storeFile}. Load one with: npx worldwright import`)
  return { definition: emptyDefinition(), folder: where, storeFile }
}

/** Where to import to: the store that the flag or the environment names, else that of the current folder's definition. */
export async function storeToFill(storeFlag: string | undefined, io: Io): Promise<string> {
  const store = storeFlag ?? fromEnv(io, 'WORLD_STORE')
  if (store !== undefined) return storeFileFrom(store, io.cwd)
  const file = await findDefinition(io.cwd)
  if (file !== undefined) return (await definedPlace(file, undefined, io)).storeFile
  throw new UsageFault('There is no world.yaml here, so name the store to fill: --store sqlite:FILE')
}

/** Runs `work` on a store and closes it, whatever comes of the work. */
export async function withStore<T>(file: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = openSqliteStorage(file)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

async function definedPlace(file: string, store: string | undefined, io: Io): Promise<Place> {
  const { definition, folder } = await readDefinition(file)
  const storeFile =
    store === undefined
      ? storeFileFrom(definition.store ?? `sqlite:${DEFAULT_STORE}`, folder)
      : storeFileFrom(store, io.cwd)
  return { definition, folder, storeFile }
}

function storeFileFrom(store: string, base: string): string {
  const file = /^sqlite:(.+)$/s.exec(store)?.[1]
  if (file === undefined)
    throw new UsageFault(`A store is written sqlite:FILE, such as --store sqlite:world.db; this is ${store}`)
  return resolve(base, file)
}
