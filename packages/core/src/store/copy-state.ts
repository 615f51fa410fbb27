/** How a store stands that answers from a copy of what another place keeps. */
export interface CopyState {
  /** All that was acknowledged before this moment, in milliseconds since 1970, can be read; 0: nobody knows of any. */
  readonly currentAt: number
  /** Why that place cannot be reached now, for people; absent if it can. */
  readonly lost?: string
}
