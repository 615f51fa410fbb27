/** Finding the engine of a store by its URL; the engine is loaded on demand. */
import type { Store } from '@worldwright/core/store'
import { engineFor, StoreUrlFault, wholeStore } from './engines.ts'
import type { OpenOptions, StoreLocation, StoreRole } from './store-location.ts'

/** Precedes the module of an engine in the URL of a store. */
const MODULE = '#engine='

/**
 * Returns the URL of a store in a form that every process can use: `sqlite:FILE` with an absolute path, `postgres://…`
 * with the folder of the node's replica, and other engines with the module. Relative paths are relative to `folder`.
 * @throws StoreUrlFault if no engine is named, or an unknown one
 */
export function storeUrl(written: string, folder: string): string {
  const { scheme, engine, location } = parsed(written)
  const module = engine.module === undefined ? '' : MODULE + encodeURIComponent(engine.module)
  return `${scheme}:${engine.locate(location, folder)}${module}`
}

/** Returns the store that a URL names, whether it exists or not. @throws StoreUrlFault */
export async function storeAt(url: string): Promise<StoreLocation> {
  const { scheme, engine, location } = parsed(url)
  const { at } = await engine.load()
  return wholeStore(url, scheme, at(url, location))
}

/** Opens the store that a URL names. @throws StoreUrlFault, and StorageFault as `Store.open` */
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
