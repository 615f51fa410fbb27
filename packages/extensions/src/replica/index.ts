/** Replicas of other worlds: replicating an upstream into a store, and reporting the replication status. */

export { describeUpstream, type FollowEvent, type FollowOptions, followWorld } from './follow-world.ts'
export { followedTypes } from './followed-types.ts'
export { type KeptUpstream, keptUpstream, type UpstreamDescription } from './kept-upstream.ts'
export { LAG_HEADER, type ReplicaOptions, replica } from './replica-handler.ts'
export type { ReplicaStatus } from './status.ts'
export { lagSeconds, NEVER_CAUGHT_UP, statusAfter, statusOf, statusOfNode } from './status.ts'
export { CHANGES_EXTENSION } from './upstream.ts'
