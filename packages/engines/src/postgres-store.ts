import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Store, StoreFault } from '@worldwright/core/store'
import {
  fillDatabase,
  migrationOf,
  openDirect,
  openNode,
  postgresAddress,
  ReplicaLock,
  replicaFolderOf,
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
import { readOnly } from './read-only.ts'
import { isReplica, seedReplica } from './seed-replica.ts'
import type { Engine, OpenOptions, StoreLocation } from './store-location.ts'

/** Engine for the scheme `postgres`: stores in PostgreSQL, with or without a replica on this machine. */
export const engine: Engine = { at: postgresStore }

/** Returns the store at a URL. The URL either contains the node's replica folder or disables the replica. */
function postgresStore(url: string): StoreLocation {
  const folder = replicaFolderOf(url)
  return folder === undefined ? directStore(url) : copiedStore(url, folder)
}

/** Returns the members shared by stores with and without a replica on this machine. */
function storeInDatabase(url: string) {
  return {
    url,
    name: postgresAddress(url).name,
    migration: migrationOf(url),
    exists: () => storeExists(url),
    size: () => storeSize(url),
    restore() {
      throw new StoreFault(
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
    throw new StoreFault('read_only', `${what} Here, cache=none says that this machine keeps no replica.`)
  }
  const ofNoIndex = withoutFile('The index of a store is in the replica of a machine.')
  return {
    ...storeInDatabase(url),
    hasNoIndex: true,
    async open(role, options) {
      if (role === 'writer') return openDirect(url, options)
      // Only the writer of the store drops tombstones.
      return readOnly(await openDirect(url, { deletionsKeptMs: Number.POSITIVE_INFINITY }))
    },
    backup: withoutFile(
      'A backup is made of the replica of a machine, or by PostgreSQL, such as with pg_dump.',
    ),
    salvage: withoutFile(
      'A store in PostgreSQL is salvaged by PostgreSQL, or from the replica of a machine.',
    ),
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
    async seed(from, signal) {
      if (await isReplica(file)) return false
      mkdirSync(folder, { recursive: true })
      const lock = lockIn(folder)
      try {
        if (!lock.take())
          throw new StoreFault('busy', `Another process fills the replica in ${folder} already.`)
        await seedReplica(url, file, from, signal)
        return true
      } finally {
        lock.close()
      }
    },
    async backup(target) {
      await refresh(url, folder, file)
      return backupStore(file, target)
    },
    salvage() {
      throw new StoreFault(
        'read_only',
        `A store in PostgreSQL is salvaged by PostgreSQL. The replica beside it is ${file}.`,
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

/** Applies new changes to the replica unless another process already keeps the replica up to date. */
async function refresh(url: string, folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const isFree = lock.take()
  lock.close()
  if (!isFree) return
  const node = await openWriter(url, folder, file, { deletionsKeptMs: Number.POSITIVE_INFINITY })
  await node.close()
}

function lockIn(folder: string): ReplicaLock {
  return new ReplicaLock(join(folder, 'copy.lock'))
}

async function openWriter(
  url: string,
  folder: string,
  file: string,
  options: OpenOptions | undefined,
): Promise<Store> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const replica = openSqliteStore(file, { isDerived: true })
  try {
    const node = await openNode(url, { replica, follows: () => lock.take(), ...options })
    return {
      ...node,
      async close() {
        await node.close()
        lock.close()
      },
    }
  } catch (error) {
    await replica.close()
    lock.close()
    throw error
  }
}
