/** Stores in PostgreSQL: each process reads the replica of its node, or the database; the writer writes to the database. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { readOnly, StorageFault } from '@worldwright/core/store'
import {
  CopyLock,
  copyFolderOf,
  fillDatabase,
  openDirect,
  openNode,
  postgresAddress,
  storeExists,
  storeSize,
  verifyDatabase,
  withContent,
} from '@worldwright/postgres'
import {
  backupStore,
  openSqliteStore,
  rebuildSearchIndex,
  verifySearchIndex,
  verifyStore,
} from '@worldwright/sqlite'
import type { Engine, OpenOptions, StoreLocation } from './store-location.ts'

/** Stores in PostgreSQL, by the scheme `postgres`: with a replica on this machine, or without. */
export const engine: Engine = { at: postgresStore }

/** Returns the store at this URL, which names the folder of the node's replica, or says that there is none. */
function postgresStore(url: string): StoreLocation {
  const folder = copyFolderOf(url)
  return folder === undefined ? directStore(url) : copiedStore(url, folder)
}

/** Members of a store that are the same with and without a replica on this machine. */
function storeInDatabase(url: string) {
  return {
    url,
    name: postgresAddress(url).name,
    exists: () => storeExists(url),
    size: () => storeSize(url),
    restore() {
      throw new StorageFault(
        'read_only',
        'A store in PostgreSQL is restored by PostgreSQL, such as with pg_restore.',
      )
    },
    withContent: (work) => withContent(url, work),
    fill: (content) => fillDatabase(url, content),
  } satisfies Partial<StoreLocation>
}

function directStore(url: string): StoreLocation {
  const withoutFile = (what: string) => () => {
    throw new StorageFault('read_only', `${what} Here, cache=none says that this machine keeps no copy.`)
  }
  const ofNoIndex = withoutFile('The index of a store is in the copy of a machine.')
  return {
    ...storeInDatabase(url),
    hasNoIndex: true,
    async open(role, options) {
      if (role === 'writer') return openDirect(url, options)
      // Only the writer of the store drops tombstones.
      return readOnly(await openDirect(url, { deletionsKeptMs: Number.POSITIVE_INFINITY }))
    },
    backup: withoutFile('A backup is made of the copy of a machine, or by PostgreSQL, such as with pg_dump.'),
    salvage: withoutFile('A store in PostgreSQL is salvaged by PostgreSQL, or from the copy of a machine.'),
    verify: () => verifyDatabase(url),
    verifySearchIndex: ofNoIndex,
    rebuildSearchIndex: ofNoIndex,
  }
}

function copiedStore(url: string, folder: string): StoreLocation {
  const file = join(folder, 'copy.db')
  return {
    ...storeInDatabase(url),
    file,
    needsWriter: true,
    async open(role, options) {
      if (role === 'writer') return openWriter(url, folder, file, options)
      await refresh(url, folder, file)
      return openSqliteStore(file, { readOnly: true })
    },
    async backup(target) {
      await refresh(url, folder, file)
      return backupStore(file, target)
    },
    salvage() {
      throw new StorageFault(
        'read_only',
        `A store in PostgreSQL is salvaged by PostgreSQL. The copy beside it is ${file}.`,
      )
    },
    async verify() {
      await refresh(url, folder, file)
      return verifyStore(file)
    },
    verifySearchIndex: () => verifySearchIndex(file),
    rebuildSearchIndex: () => rebuildSearchIndex(file),
  }
}

/** Applies new changes to the replica, unless another process does so continuously. */
async function refresh(url: string, folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const isFree = lock.take()
  lock.close()
  if (!isFree) return
  const node = await openWriter(url, folder, file, { deletionsKeptMs: Number.POSITIVE_INFINITY })
  await node.close()
}

function lockIn(folder: string): CopyLock {
  return new CopyLock(join(folder, 'copy.lock'))
}

async function openWriter(
  url: string,
  folder: string,
  file: string,
  options: OpenOptions | undefined,
): Promise<Store> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const copy = openSqliteStore(file, { isDerived: true })
  try {
    const node = await openNode(url, { copy, follows: () => lock.take(), ...options })
    return {
      ...node,
      async close() {
        await node.close()
        lock.close()
      },
    }
  } catch (error) {
    await copy.close()
    lock.close()
    throw error
  }
}
