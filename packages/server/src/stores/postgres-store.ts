/** Stores in PostgreSQL: each process reads the copy of its node, and the owner writes to the database. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../storage/contract.ts'
import { StorageFault } from '../storage/contract.ts'
import { copyFolderOf, postgresAddress } from '../storage/postgres/address.ts'
import { fillDatabase, withContent } from '../storage/postgres/content.ts'
import { CopyLock } from '../storage/postgres/copy-lock.ts'
import { openNode } from '../storage/postgres/node.ts'
import { storeExists, storeSize } from '../storage/postgres/whole-store.ts'
import { backupStore } from '../storage/sqlite/backup.ts'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { rebuildSearchIndex, verifySearchIndex } from '../storage/sqlite/verify-index.ts'
import { verifyStore } from '../storage/sqlite/verify-store.ts'
import type { OpenOptions, Store } from './store.ts'

/** The store at this URL, which names the folder of the node's copy. */
export function postgresStore(url: string): Store {
  const { name } = postgresAddress(url)
  const folder = copyFolderOf(url)
  const file = join(folder, 'copy.db')
  return {
    url,
    name,
    file,
    exists: () => storeExists(url),
    size: () => storeSize(url),
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
    restore() {
      throw new StorageFault(
        'read_only',
        'A store in PostgreSQL is restored by PostgreSQL, such as with pg_restore.',
      )
    },
    salvage() {
      throw new StorageFault(
        'read_only',
        `A store in PostgreSQL is salvaged by PostgreSQL. The copy beside it is ${file}.`,
      )
    },
    withContent: (work) => withContent(url, work),
    fill: (content) => fillDatabase(url, content),
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
