/** Searches answered by a cluster of OpenSearch, which is fed from a store. */

export { openSearchAddress } from './address.ts'
export type { OpenSearchOptions } from './storage.ts'
export { withOpenSearch } from './storage.ts'
export type { ClusterVerdict } from './verify.ts'
export { rebuildClusterIndex, verifyClusterIndex } from './verify.ts'
