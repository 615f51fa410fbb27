/** Resolves store URLs to their engines, which are loaded on demand. */
import type { Store } from '@worldwright/core/store'
import { engineFor, StoreUrlFault, wholeStore } from './engines.ts'
import type { OpenOptions, StoreLocation, StoreRole } from './store-location.ts'

/** Separates the engine's module from the rest of a store URL. */
const MODULE = '#engine='

/**
 * Returns a store URL that every process can use: `sqlite:FILE` with an absolute path, `postgres://…` with the node's
 * replica folder, or a URL that names its engine's module. Relative paths are resolved against `folder`.
 * @throws StoreUrlFault if the engine is missing or unknown
 */
export function storeUrl(written: string, folder: string): string {
  const { scheme, engine, location } = parsed(written)
  const module = engine.module === undefined ? '' : MODULE + encodeURIComponent(engine.module)
  return `${scheme}:${engine.locate(location, folder)}${module}`
}

/** Returns the store at a URL. The store need not exist. @throws StoreUrlFault */
export async function storeAt(url: string): Promise<StoreLocation> {
  const { scheme, engine, location } = parsed(url)
  const { at } = await engine.load()
  return wholeStore(url, scheme, at(url, location))
}

/** Opens the store at a URL in a role. @throws StoreUrlFault; StoreFault as `StoreLocation.open` */
export async function openStore(
  url: string,
  { role, ...options }: OpenOptions & { readonly role: StoreRole },
): Promise<Store> {
  return (await storeAt(url)).open(role, options)
}

function parsed(url: string) {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]+):(.+)$/s.exec(url) ?? []
  const [location = '', module] = rest.split(MODULE)
  const engine = engineFor(scheme, module && decodeURIComponent(module))
  if (scheme === '' || engine === undefined)
    throw new StoreUrlFault(
      `${scheme === '' ? 'A store is written' : `There is no storage engine ${scheme}. A store is written`} ` +
        `sqlite:FILE, such as sqlite:world.db, or postgres://USER@HOST/DATABASE; this is ${url}`,
    )
  return { scheme, engine, location }
}
