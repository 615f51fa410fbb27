/** Stores in SQLite files. */
import { existsSync, statSync } from 'node:fs'
import {
  backupStore,
  fillFile,
  openSqliteStore,
  rebuildSearchIndex,
  restoreStore,
  salvageEntities,
  verifySearchIndex,
  verifyStore,
  withContent,
} from '@worldwright/sqlite'
import type { Engine, StoreLocation } from './store-location.ts'

/** Stores in SQLite files, by the scheme `sqlite`: a file that is opened, backed up, verified and salvaged. */
export const engine: Engine = { at: sqliteStore }

/** Returns the store in this file. */
function sqliteStore(url: string, file: string): StoreLocation {
  return {
    url,
    name: file,
    file,
    exists: () => existsSync(file),
    size: () => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    open: (role, options) => openSqliteStore(file, { ...options, readOnly: role !== 'writer' }),
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
