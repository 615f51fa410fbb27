/** The storage contract and the store in memory: what another engine is written against. */

export { synonymFaults } from '../search/text/synonyms.ts'
export type * from './contract.ts'
export { damagedEntity, StorageFault } from './contract.ts'
export type { MemoryStorageOptions } from './memory.ts'
export { createMemoryStorage } from './memory.ts'
export { revisionOf } from './prepared.ts'
export type { SynonymRule } from './search-synonyms.ts'
export { searchSynonyms, setSearchSynonyms } from './search-synonyms.ts'
export { searchDocuments } from './search-text.ts'
