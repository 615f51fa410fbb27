/** Admission control interface, an option of `createWorld`. Without it, every request starts immediately. */
import type { MaybePromise } from '../store/contract.ts'
import type { Lane, WorldRequest } from './http.ts'

/** Requesting client, and the signal that aborts when it disconnects. */
export type Asking = Pick<WorldRequest, 'client' | 'signal'>

/** Decides when the work of a request starts. */
export interface RequestAdmission {
  /** Reports whether cached responses may skip the queue. Must be cheap, because it is called for every request. */
  isCalm(): boolean
  /**
   * Runs the work of a request, now or later, in the caller's asynchronous context. If the client disconnects first, drops
   * the work and rejects with the signal's reason. Rejects with a WorldFault `unavailable` if the queue is too long.
   */
  run<T>(lane: Lane, asking: Asking, work: () => MaybePromise<T>): MaybePromise<T>
}
