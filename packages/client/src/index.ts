/**
 * `@worldwright/client`: reads any world that speaks the protocol `world/0.1`, starting from its origin alone.
 */
export type { Allow } from './allow.ts'
export type { ListInput } from './calls.ts'
export type { Change, ChangesOptions, Deletion, Leave, Put, WatchOptions } from './changes.ts'
export { connect, type WorldOptions } from './connect.ts'
export type { ConnectOptions, WorldData } from './discovery.ts'
export { type ClientErrorCode, isWorldError, WorldError, type WorldErrorContext } from './error.ts'
export type { KeptWorld, Received } from './freshness.ts'
export type * from './group-types.ts'
export type { Live, LiveOptions } from './live.ts'
export type { Entities, WalkOptions } from './pages.ts'
export type * from './protocol.ts'
export type {
  Answer,
  Facet,
  FacetBucket,
  FacetInput,
  PropertyName,
  QueryInput,
  QueryOutput,
  SortKey,
} from './query-types.ts'
export type { Fetch } from './redirect.ts'
export type { CallOptions, Limits } from './request.ts'
export type { AnyTypes, WorldTypes } from './types.ts'
export type { World } from './world.ts'
