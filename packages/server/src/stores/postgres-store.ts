/** Stores in PostgreSQL: each process reads the copy of its node, or the database itself, and the owner writes to the database. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../storage/contract.ts'
import { StorageFault } from '../storage/contract.ts'
import { copyFolderOf, postgresAddress } from '../storage/postgres/address.ts'
import { fillDatabase, withContent } from '../storage/postgres/content.ts'
import { CopyLock } from '../storage/postgres/copy-lock.ts'
import { openDirect } from '../storage/postgres/direct.ts'
import { openNode } from '../storage/postgres/node.ts'
import { verifyDatabase } from '../storage/postgres/verify-database.ts'
import { storeExists, storeSize } from '../storage/postgres/whole-store.ts'
import { readOnly } from '../storage/read-only.ts'
import { backupStore } from '../storage/sqlite/backup.ts'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { rebuildSearchIndex, verifySearchIndex } from '../storage/sqlite/verify-index.ts'
import { verifyStore } from '../storage/sqlite/verify-store.ts'
import type { OpenOptions, Store } from './store.ts'

/** The store at this URL, which names the folder of the node's copy, or says that there is none. */
export function postgresStore(url: string): Store {
  const folder = copyFolderOf(url)
  return folder === undefined ? directStore(url) : copiedStore(url, folder)
}

/** What is the same whether the machine keeps a copy or not. */
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
  } satisfies Partial<Store>
}

function directStore(url: string): Store {
  const withoutFile = (what: string) => () => {
    throw new StorageFault('read_only', `${what} Here, cache=none says that this machine keeps no copy.`)
  }
  const ofNoIndex = withoutFile('The index of a store is in the copy of a machine.')
  return {
    ...storeInDatabase(url),
    hasNoIndex: true,
    async open(role, options) {
      if (role === 'owner') return openDirect(url, options)
      // Deletions are forgotten by who owns the store.
      return readOnly(await openDirect(url, { deletionsKeptMs: Number.POSITIVE_INFINITY }))
    },
    backup: withoutFile('A backup is made of the copy of a machine, or by PostgreSQL, such as with pg_dump.'),
    salvage: withoutFile('A store in PostgreSQL is salvaged by PostgreSQL, or from the copy of a machine.'),
    verify: () => verifyDatabase(url),
    verifySearchIndex: ofNoIndex,
    rebuildSearchIndex: ofNoIndex,
  }
}

function copiedStore(url: string, folder: string): Store {
  const file = join(folder, 'copy.db')
  return {
    ...storeInDatabase(url),
    file,
    needsOwner: true,
    async open(role, options) {
      if (role === 'owner') return openOwner(url, folder, file, options)
      await refresh(url, folder, file)
      return openSqliteStorage(file, { readOnly: true })
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

/** Takes over what is new, where no other process does that all the time. */
async function refresh(url: string, folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const isFree = lock.take()
  lock.close()
  if (!isFree) return
  const node = await openOwner(url, folder, file, { deletionsKeptMs: Number.POSITIVE_INFINITY })
  await node.close()
}

function lockIn(folder: string): CopyLock {
  return new CopyLock(join(folder, 'copy.lock'))
}

async function openOwner(
  url: string,
  folder: string,
  file: string,
  options: OpenOptions | undefined,
): Promise<Storage> {
  mkdirSync(folder, { recursive: true })
  const lock = lockIn(folder)
  const copy = openSqliteStorage(file, { isDerived: true })
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
