/** Stores in SQLite files. */
import { existsSync, statSync } from 'node:fs'
import { backupStore, restoreStore } from '../storage/sqlite/backup.ts'
import { fillFile, withContent } from '../storage/sqlite/content.ts'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { salvageEntities } from '../storage/sqlite/salvage.ts'
import { rebuildSearchIndex, verifySearchIndex } from '../storage/sqlite/verify-index.ts'
import { verifyStore } from '../storage/sqlite/verify-store.ts'
import type { Store } from './store.ts'

/** The store in this file. */
export function sqliteStore(url: string, file: string): Store {
  return {
    url,
    name: file,
    file,
    exists: () => existsSync(file),
    size: () => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    open: (role, options) => openSqliteStorage(file, { ...options, readOnly: role !== 'owner' }),
    backup: (target) => backupStore(file, target),
    restore: (backup) => restoreStore(backup, file),
    salvage: () => salvageEntities(file),
    withContent: (work) => withContent(file, work),
    async fill(content) {
      await fillFile(file, content)
    },
    verify: () => verifyStore(file),
    verifySearchIndex: () => verifySearchIndex(file),
    rebuildSearchIndex: () => rebuildSearchIndex(file),
  }
}
