/** From the URL of a store to its engine, which is loaded only then. */
import { resolve } from 'node:path'
import type { Storage } from '../storage/contract.ts'
import { withCopyFolder } from '../storage/postgres/address.ts'
import type { OpenOptions, Store, StoreRole } from './store.ts'

/** A text that names no store that can be opened. The message says how one is written. */
export class StoreUrlFault extends Error {
  override readonly name = 'StoreUrlFault'
}

/** What is known of an engine before it is loaded. */
interface Engine {
  /** What follows the scheme, with its path made absolute. */
  readonly locate: (location: string, folder: string) => string
  readonly load: () => Promise<(url: string, location: string) => Store>
}

/** The engines, by the scheme of their URLs. */
const ENGINES: Readonly<Record<string, Engine>> = {
  sqlite: {
    locate: (file, folder) => resolve(folder, file),
    load: async () => (await import('./sqlite-store.ts')).sqliteStore,
  },
  postgres: {
    // No driver is loaded for that: the text alone.
    locate: (address, folder) => withCopyFolder(address, folder),
    load: async () => (await import('./postgres-store.ts')).postgresStore,
  },
}

/**
 * The URL of a store as every process can use it: `sqlite:FILE` with an absolute path, or `postgres://…` with the folder
 * of the node's copy. `folder`: what relative paths are relative to.
 * @throws StoreUrlFault where no engine is named, or an unknown one
 */
export function storeUrl(written: string, folder: string): string {
  const { scheme, engine, location } = parsed(written)
  return `${scheme}:${engine.locate(location, folder)}`
}

/** The store that a URL names, whether it exists or not. @throws StoreUrlFault */
export async function storeAt(url: string): Promise<Store> {
  const { engine, location } = parsed(url)
  const load = await engine.load()
  return load(url, location)
}

/** Opens the store that a URL names. @throws StoreUrlFault, and StorageFault as `Store.open` */
export async function openStore(
  url: string,
  { role, ...options }: OpenOptions & { readonly role: StoreRole },
): Promise<Storage> {
  return (await storeAt(url)).open(role, options)
}

function parsed(url: string) {
  const [, scheme = '', location = ''] = /^([a-z][a-z0-9+.-]+):(.+)$/s.exec(url) ?? []
  const engine = Object.hasOwn(ENGINES, scheme) ? ENGINES[scheme] : undefined
  if (engine === undefined)
    throw new StoreUrlFault(
      `${scheme === '' ? 'A store is written' : `There is no storage engine ${scheme}. A store is written`} ` +
        `sqlite:FILE, such as sqlite:world.db, or postgres://USER@HOST/DATABASE; this is ${url}`,
    )
  return { scheme, engine, location }
}
