/** Answers the searches of a store from an OpenSearch cluster, and feeds the cluster from the store. */

export { openSearchAddress } from './address.ts'
export { type OpenSearchOptions, type SearchedStore, withOpenSearch } from './searched-store.ts'
export { type ClusterVerdict, rebuildClusterIndex, verifyClusterIndex } from './verify.ts'
