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

/** Engine for the scheme `sqlite`: stores in SQLite files. */
export const engine: Engine = { at: sqliteStore }

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
