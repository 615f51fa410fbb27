/** The SQLite engine: opening a store, copying it, verifying it. Needs `node:sqlite`. */

export type { CopyProgress } from './backup.ts'
export { backupStore, restoreStore } from './backup.ts'
export type { SqliteStorageOptions } from './open.ts'
export { openSqliteStorage } from './open.ts'
export type { StoreReport } from './verify.ts'
export { verifyStore } from './verify.ts'
export type { IndexVerdict } from './verify-index.ts'
export { rebuildSearchIndex, verifySearchIndex } from './verify-index.ts'
