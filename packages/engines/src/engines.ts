/** Registry of built-in and third-party storage engines by URL scheme. */
import { createRequire } from 'node:module'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StoreFault } from '@worldwright/core/store'
import { withReplicaFolder } from '@worldwright/postgres/address'
import type { Engine, EngineStore, StoreLocation } from './store-location.ts'

/** Thrown for an invalid store URL or engine name. The message shows valid forms. */
export class StoreUrlFault extends Error {
  override readonly name = 'StoreUrlFault'
}

/** A registered engine, loaded on first use. */
interface RegisteredEngine {
  /** Module named in store URLs, so that other processes can load the engine; absent for built-in engines. */
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
      // This only rewrites the URL and does not load the driver.
      locate: withReplicaFolder,
      load: async () => (await import('./postgres-store.ts')).engine,
    },
  ],
])

/**
 * Registers the engine for a URL scheme. A module (a package name or a file URL) must export the engine as `engine`, and
 * every process of a server loads that module itself. An engine passed as an object is known only to this process.
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
 * Registers engines from a setting with space-separated `SCHEME=MODULE` pairs. Modules that begin with a dot or a slash are
 * files, resolved against `folder`. @throws StoreUrlFault
 */
export function registerEngines(named: string, folder: string): void {
  for (const one of named.split(/\s+/).filter(Boolean)) {
    const [, scheme = '', module = ''] = /^([^=]+)=(.+)$/.exec(one) ?? []
    const isFile = module.startsWith('.') || isAbsolute(module)
    registerEngine(scheme, isFile ? pathToFileURL(resolve(folder, module)).href : packageAt(module, folder))
  }
}

/** Returns the URL of a package's module, resolved from `folder`, or the package name if it cannot be resolved there. */
function packageAt(name: string, folder: string): string {
  try {
    return pathToFileURL(createRequire(resolve(folder, 'engines.js')).resolve(name)).href
  } catch {
    return name
  }
}

/** Returns the engine registered for a scheme, or else the engine in `module`, or undefined if there is neither. */
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

/** Completes a store. Operations that its engine does not implement get a default or throw `unsupported`. */
export function wholeStore(url: string, scheme: string, store: EngineStore): StoreLocation {
  const cannot = (what: string) => () => {
    throw new StoreFault('unsupported', `The storage engine ${scheme} cannot ${what}.`)
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
