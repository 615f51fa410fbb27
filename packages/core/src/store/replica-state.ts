/** Replication status of a store that answers from a replica. */
export interface ReplicaState {
  /** Time up to which all acknowledged writes are visible, in milliseconds since 1970; 0 if unknown. */
  readonly currentAt: number
  /** Human-readable reason why the primary cannot be reached; absent if it can. */
  readonly lost?: string
}
