/** Stores by URL: opening one in a role, and what can be asked of it as a whole. The engine is loaded on demand. */

export type { SalvageReport } from '../storage/sqlite/salvage.ts'
export type { IndexVerdict } from '../storage/sqlite/verify-index.ts'
export type { StoreReport } from '../storage/store-report.ts'
export type { CopyReport } from './copy-store.ts'
export { copyStore } from './copy-store.ts'
export { openStore, StoreUrlFault, storeAt, storeUrl } from './open-store.ts'
export type { OpenOptions, Store, StoreRole } from './store.ts'
