/** Stores by URL: opening one in a role, and operations on it as a whole. The engine is loaded on demand. */

export type { CopyReport } from './copy-store.ts'
export { copyStore } from './copy-store.ts'
export { registerEngine, registerEngines, StoreUrlFault } from './engines.ts'
export { openStore, storeAt, storeUrl } from './open-store.ts'
export type { Engine, EngineStore, OpenOptions, StoreLocation, StoreRole } from './store-location.ts'
