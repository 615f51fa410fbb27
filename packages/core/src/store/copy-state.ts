/** Replication status of a store that answers from a replica. */
export interface CopyState {
  /** Everything acknowledged before this moment, in milliseconds since 1970, can be read; 0: no such moment is known. */
  readonly currentAt: number
  /** Reason why the primary cannot be reached now, for people; absent if it can. */
  readonly lost?: string
}
