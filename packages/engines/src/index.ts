/** Opens, copies, backs up and verifies stores by URL. Engines are loaded on demand. */

export { type CopyReport, copyStore } from './copy-store.ts'
export { registerEngine, registerEngines, StoreUrlFault } from './engines.ts'
export { openStore, storeAt, storeUrl } from './open-store.ts'
export { seedAt, seedName } from './seed-address.ts'
export type { Engine, EngineStore, OpenOptions, StoreLocation, StoreRole } from './store-location.ts'
