/** Engines by the scheme of their stores' URLs: those of the server, and those of third parties. */
import { createRequire } from 'node:module'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StorageFault } from '@worldwright/core/store'
import { withCopyFolder } from '@worldwright/postgres/address'
import type { Engine, EngineStore, StoreLocation } from './store-location.ts'

/** A text that names no store that can be opened. The message shows valid forms. */
export class StoreUrlFault extends Error {
  override readonly name = 'StoreUrlFault'
}

/** An engine, loaded with the first of its stores. */
interface RegisteredEngine {
  /** Module named in the URLs of its stores, so that other processes find it. Absent: they know the engine. */
  readonly module?: string
  readonly locate: (location: string, folder: string) => string
  readonly load: () => Promise<Engine>
}

const asWritten = (location: string) => location

const ENGINES = new Map<string, RegisteredEngine>([
  [
    'sqlite',
    {
      locate: (file, folder) => resolve(folder, file),
      load: async () => (await import('./sqlite-store.ts')).engine,
    },
  ],
  [
    'postgres',
    {
      // Changes only the text, and loads no driver.
      locate: withCopyFolder,
      load: async () => (await import('./postgres-store.ts')).engine,
    },
  ],
])

/**
 * Registers the engine of a scheme. A module (a package, or the URL of a file) exports its `engine`, and every process of a
 * server loads it by itself; an engine that is passed as an object is known only to this process.
 */
export function registerEngine(scheme: string, engine: string | Engine): void {
  if (!/^[a-z][a-z0-9+.-]+$/.test(scheme))
    throw new StoreUrlFault(
      `A storage engine is named SCHEME=MODULE; ${scheme || 'this'} is no scheme of a URL.`,
    )
  if (typeof engine === 'string') ENGINES.set(scheme, engineOf(engine))
  else ENGINES.set(scheme, { locate: asWritten, load: async () => engine })
}

/**
 * Registers engines as an operator names them: `SCHEME=MODULE`, separated by spaces. Modules that begin with a dot or a
 * slash are files, relative to `folder`. @throws StoreUrlFault
 */
export function registerEngines(named: string, folder: string): void {
  for (const one of named.split(/\s+/).filter(Boolean)) {
    const [, scheme = '', module = ''] = /^([^=]+)=(.+)$/.exec(one) ?? []
    const isFile = module.startsWith('.') || isAbsolute(module)
    registerEngine(scheme, isFile ? pathToFileURL(resolve(folder, module)).href : packageAt(module, folder))
  }
}

/** Returns the URL of a package's module, resolved from the folder; its name if only this package may find it. */
function packageAt(name: string, folder: string): string {
  try {
    return pathToFileURL(createRequire(resolve(folder, 'engines.js')).resolve(name)).href
  } catch {
    return name
  }
}

/** Returns the engine of a scheme, else that of the `module` that the URL names; undefined if there is none. */
export function engineFor(scheme: string, module?: string): RegisteredEngine | undefined {
  return ENGINES.get(scheme) ?? (module === undefined ? undefined : engineOf(module))
}

function engineOf(module: string): RegisteredEngine {
  return {
    module,
    locate: asWritten,
    async load() {
      const { engine } = await import(module)
      if (typeof engine?.at !== 'function')
        throw new TypeError(`${module} exports no storage engine as \`engine\``)
      return engine
    },
  }
}

/** Completes a store of an engine with clear refusals of all that the engine cannot do. */
export function wholeStore(url: string, scheme: string, store: EngineStore): StoreLocation {
  const cannot = (what: string) => () => {
    throw new StorageFault('unsupported', `The storage engine ${scheme} cannot ${what}.`)
  }
  return {
    url,
    name: url.replace(/\/\/[^@/]*@/, '//').replace(/[?#].*$/s, ''),
    exists: () => true,
    size: () => 0,
    backup: cannot('back up its stores'),
    restore: cannot('restore its stores'),
    salvage: cannot('salvage its stores'),
    withContent: cannot('copy its stores'),
    fill: cannot('be copied to'),
    verify: cannot('verify its stores'),
    verifySearchIndex: cannot('verify its search index'),
    rebuildSearchIndex: cannot('rebuild its search index'),
    ...store,
  }
}
