/** Admission control as the handler sees it: an option of `createWorld`. Without it, every request starts at once. */
import type { MaybePromise } from '../store/contract.ts'
import type { Lane, WorldRequest } from './http.ts'

/** Client of a request, and the signal that it has disconnected. */
export type Asking = Pick<WorldRequest, 'client' | 'signal'>

/** Decides when work for a request begins. */
export interface RequestAdmission {
  /** Reports whether work begins at once. Cheap enough to be called for each request. */
  isCalm(): boolean
  /**
   * Runs the work of a request, now or later, in the asynchronous context of the caller. Drops work whose client has left:
   * rejects with the reason of the signal. Rejects with a WorldFault `unavailable` if too much work is queued.
   */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T>
}
