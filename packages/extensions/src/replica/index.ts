/** Replicas of other worlds: a store that follows an origin, and the replication status that its handler reports. */

export type { FollowEvent, FollowOptions } from './follow-world.ts'
export { describeUpstream, followWorld } from './follow-world.ts'
export { followedTypes } from './followed-types.ts'
export type { KeptUpstream, UpstreamDescription } from './kept-upstream.ts'
export { keptUpstream } from './kept-upstream.ts'
export type { ReplicaOptions } from './replica-handler.ts'
export { LAG_HEADER, replica } from './replica-handler.ts'
export type { ReplicaStatus } from './status.ts'
export { lagSeconds, NEVER_CAUGHT_UP, statusAfter, statusOf, statusOfNode } from './status.ts'
export { CHANGES_EXTENSION } from './upstream.ts'
