/** Copies of other worlds: a store that follows an origin, and what its handler says of that. */

export type { FollowEvent, FollowOptions } from './follow-world.ts'
export { describeOwner, followWorld } from './follow-world.ts'
export { followedTypes } from './followed-types.ts'
export type { KeptOwner, OwnerDescription } from './kept-owner.ts'
export { keptOwner } from './kept-owner.ts'
export { CHANGES_EXTENSION } from './owner.ts'
export { createReplicaHandler, LAG_HEADER, ownerRoutes } from './replica-handler.ts'
export type { ReplicaStatus } from './status.ts'
export { lagSeconds, NEVER_CAUGHT_UP, statusAfter, statusOf, statusOfNode } from './status.ts'
